import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifPresent } from '../if-present.js';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { syncDirectory } from './sync-directory.js';

/** It is in a data directory while a restore moves its files there, and has their names. */
export const RESTORE_MARKER = 'postgres.restoring';

const pathOf = ({ root }: DataLayout): string => join(root, RESTORE_MARKER);

/** Notes that files of those names are moved into the data directory, and the cluster after them. */
export async function beginRestore(layout: DataLayout, names: readonly string[]): Promise<void> {
  await writeFile(pathOf(layout), names.join('\n'), { mode: 0o600, flag: 'wx', flush: true });
  await syncDirectory(layout.root);
}

/** Notes that the cluster has its place. */
export async function endRestore(layout: DataLayout): Promise<void> {
  await rm(pathOf(layout), { force: true });
  await syncDirectory(layout.root);
}

/** Removes what a restore has left that was cut short before the cluster had its place. */
export async function removeRestore(layout: DataLayout): Promise<void> {
  const names = await ifPresent(readFile(pathOf(layout), 'utf8'));
  if (names === undefined) return;
  for (const name of names.split('\n')) await rm(join(layout.root, name), { recursive: true, force: true });
  await endRestore(layout);
}

/**
 * Makes sure that no new database is made where a restore was cut short.
 * @throws {EmbeddedPostgresError} with advice
 */
export async function requireNoRestore(layout: DataLayout): Promise<void> {
  if ((await ifPresent(readFile(pathOf(layout)))) === undefined) return;
  throw new EmbeddedPostgresError(
    `A restore into the data directory ${layout.root} (DATA_DIR) was cut short: run ` +
      '`fairlead restore <folder>` again, which begins anew',
    { final: true },
  );
}
