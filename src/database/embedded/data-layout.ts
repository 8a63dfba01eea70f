import { join } from 'node:path';

/** Absolute paths of the files of a PostgreSQL cluster that are used here. */
export interface ClusterFiles {
  /** The PostgreSQL cluster (`PGDATA`). */
  readonly cluster: string;
  /** PostgreSQL writes it while it runs: process id, address, state. */
  readonly pidFile: string;
  /** PostgreSQL's rules for who may log in, and how. */
  readonly accessFile: string;
}

/** Absolute paths of all files of the embedded database in its data directory. */
export interface DataLayout extends ClusterFiles {
  /** The data directory itself, without symbolic links. */
  readonly root: string;
  /** Password of the service's role, mode 0600, one line. */
  readonly passwordFile: string;
  /** The output of the server. */
  readonly logFile: string;
  /** Locked while the cluster is initialised or the server is started. */
  readonly lockFile: string;
  /** The port of the server, where it has one. */
  readonly portFile: string;
}

/** Prefix of the directories in which clusters are made before they get their final name. */
export const UNFINISHED_PREFIX = 'postgres.init-';

/** Returns the paths in the directory `cluster` (absolute, without symbolic links). */
export function clusterFiles(cluster: string): ClusterFiles {
  return { cluster, pidFile: join(cluster, 'postmaster.pid'), accessFile: join(cluster, 'pg_hba.conf') };
}

/** Returns the paths in the data directory `root` (absolute, without symbolic links). */
export function dataLayout(root: string): DataLayout {
  return {
    root,
    ...clusterFiles(join(root, 'postgres')),
    passwordFile: join(root, 'postgres-password'),
    logFile: join(root, 'postgres.log'),
    lockFile: join(root, 'postgres.lock'),
    portFile: join(root, 'postgres-port'),
  };
}
