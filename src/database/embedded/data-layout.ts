import { join } from 'node:path';

/** Absolute paths of all files of the embedded database in its data directory. */
export interface DataLayout {
  /** The data directory itself, without symbolic links. */
  readonly root: string;
  /** The PostgreSQL cluster (`PGDATA`). */
  readonly cluster: string;
  /** PostgreSQL writes it while it runs: process id, port, state. */
  readonly pidFile: string;
  /** Password of the superuser, mode 0600, one line. */
  readonly passwordFile: string;
  /** The output of the server. */
  readonly logFile: string;
  /** Locked while the cluster is initialised or the server is started. */
  readonly lockFile: string;
}

/** Prefix of the directories in which clusters are made before they get their final name. */
export const UNFINISHED_PREFIX = 'postgres.init-';

/** Returns the paths in the data directory `root` (absolute, without symbolic links). */
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
