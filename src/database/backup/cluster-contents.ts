import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifPresent } from '../if-present.js';

/**
 * Directories whose contents belong to the running server, or are made again at its start. The needed part of
 * the WAL is copied by name.
 */
const LEFT_EMPTY = new Set(
  ['dynshmem', 'notify', 'replslot', 'serial', 'snapshots', 'stat_tmp', 'subtrans', 'wal'].map(
    (name) => `pg_${name}`,
  ),
);

/** Files of the running server, of its sessions, and of an earlier restore. */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|(backup_label|tablespace_map)(\.old)?|backup_manifest|pg_internal\.init.*|pgsql_tmp.*|current_logfiles|postgresql\.auto\.conf\.tmp|t\d+_\d+.*)$/;

/** The file that says where recovery starts. It is copied last, so that no newer file is without it. */
export const CONTROL_FILE = 'global/pg_control';

/** A file or a directory of a cluster. The path is relative to the cluster, with slashes. */
export interface ClusterEntry {
  readonly path: string;
  readonly isDirectory: boolean;
}

/**
 * Lists what a backup of a running cluster copies, directories before their contents and the control file
 * last. The list follows the manual (continuous archiving, "making a base backup using the low level API").
 * @throws Error when the cluster has tablespaces
 */
export async function* clusterContents(cluster: string): AsyncGenerator<ClusterEntry> {
  if ((await readdir(join(cluster, 'pg_tblspc'))).length > 0) {
    throw new Error(`The database in ${cluster} has tablespaces, which a backup does not hold`);
  }
  yield* walk(cluster, '');
  yield { path: CONTROL_FILE, isDirectory: false };
}

async function* walk(cluster: string, parent: string): AsyncGenerator<ClusterEntry> {
  for (const name of (await ifPresent(readdir(join(cluster, parent)))) ?? []) {
    const path = parent === '' ? name : `${parent}/${name}`;
    if (LEFT_OUT.test(name) || path === CONTROL_FILE) continue;
    const found = await ifPresent(stat(join(cluster, path)));
    if (!found) continue;
    yield { path, isDirectory: found.isDirectory() };
    if (found.isDirectory() && !LEFT_EMPTY.has(path)) yield* walk(cluster, path);
  }
}
