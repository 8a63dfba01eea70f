import { resolve } from 'node:path';
import type { PostmasterPid } from './postmaster-pid.js';

/** Whether the embedded server listens on a Unix socket. On Windows it listens on a port of 127.0.0.1. */
export const USES_SOCKET = process.platform !== 'win32';

/** Where a server listens. For a Unix socket, pg takes its directory in place of a host. */
export interface ServerAddress {
  /** Absolute path of the directory with the socket, or `127.0.0.1`. */
  readonly host: string;
  /** TCP port, or the number at the end of the socket's name. */
  readonly port: number;
}

/**
 * Returns where the running server of `cluster` listens, by its pid file; undefined while it does not listen
 * yet.
 */
export function serverAddress(
  { port, socketDirectory, listenAddress }: PostmasterPid,
  cluster: string,
): ServerAddress | undefined {
  // The server may have written the directory relative to its own.
  if (socketDirectory !== '') return { host: resolve(cluster, socketDirectory), port };
  return listenAddress === '' ? undefined : { host: listenAddress, port };
}

/**
 * Returns the address of the database for pg: `postgres://<role>:<password>@<host>:<port>/<role>`. The
 * directory of a socket stands percent-encoded in place of the host, as libpq defines it.
 */
export function databaseUrl({ host, port }: ServerAddress, role: string, password: string): string {
  return `postgres://${role}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${role}`;
}
