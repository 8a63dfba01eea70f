import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataLayout } from './data-layout.js';
import { withDirectoryLock } from './directory-lock.js';
import { ifPresent } from '../if-present.js';
import { syncDirectory } from './sync-directory.js';

/** The name of a complete cluster that is about to take the place of the present one. */
const SUCCESSOR = 'postgres.upgraded';

/** How a cluster is replaced. All paths are absolute and in the same file system. */
export interface Replacement {
  /** The complete new cluster. No server uses it. */
  readonly next: string;
  /** The path under which the present cluster is kept. Nothing may be there. */
  readonly kept: string;
  readonly log: (message: string) => void;
  /** Fails when the present cluster must not be replaced. It runs when no server can be started any more. */
  readonly check: () => Promise<void>;
}

/**
 * Puts a new cluster in the place of the present one. Where it is cut short between its renames,
 * `finishReplacement` does the last one.
 * @throws what `check` throws, or a system error
 */
export async function replaceCluster(
  layout: DataLayout,
  { next, kept, log, check }: Replacement,
): Promise<void> {
  const { root, cluster } = layout;
  await withDirectoryLock(layout, { log }, async () => {
    await check();
    // An earlier attempt was cut short before the present cluster was moved.
    await rm(join(root, SUCCESSOR), { recursive: true, force: true });
    await rename(next, join(root, SUCCESSOR));
    await syncDirectory(root);
    await rename(cluster, kept);
    await finishReplacement(layout);
  });
}

/**
 * Gives a new cluster its final name where the present one has been moved away already. The caller holds the
 * directory's lock, and there is no cluster.
 */
export async function finishReplacement({ root, cluster }: DataLayout): Promise<void> {
  await ifPresent(rename(join(root, SUCCESSOR), cluster).then(() => syncDirectory(root)));
}
