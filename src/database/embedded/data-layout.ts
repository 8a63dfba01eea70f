import { join } from 'node:path';

/** Absolute paths of everything the embedded database keeps in its data directory. */
export interface DataLayout {
  /** The data directory itself, without symbolic links. */
  readonly root: string;
  /** The PostgreSQL cluster (`PGDATA`). */
  readonly cluster: string;
  /** Written by PostgreSQL while it runs: process id, port, state. */
  readonly pidFile: string;
  /** Password of the superuser, mode 0600, one line. */
  readonly passwordFile: string;
  /** What the server prints. */
  readonly logFile: string;
  /** Held while the cluster is being initialised or the server started. */
  readonly lockFile: string;
}

/** Start of the names of the directories in which clusters are made before they get their real name. */
export const UNFINISHED_PREFIX = 'postgres.init-';

/** Names the files of the data directory `root` (absolute, without symbolic links). */
export function dataLayout(root: string): DataLayout {
  const cluster = join(root, 'postgres');
  return {
    root,
    cluster,
    pidFile: join(cluster, 'postmaster.pid'),
    passwordFile: join(root, 'postgres-password'),
    logFile: join(root, 'postgres.log'),
    lockFile: join(root, 'postgres.lock'),
  };
}
