import { dirname } from 'node:path';
import type { DataLayout } from './data-layout.js';
import { type ServerAddress, USES_SOCKET } from './server-address.js';
import { choosePort } from './server-port.js';
import { SOCKET_PORT, removeStaleSocketLock, socketDirectory } from './socket-directory.js';

/** Returns the settings of a server that listens on a socket in `directory`, and on no port. */
export function socketSettings(directory: string, cluster: string): Record<string, string> {
  return {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    // The server works in its cluster, whose full path it may not be able to enter.
    unix_socket_directories: directory === cluster ? '.' : `"${directory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

/** Returns the settings of a server that listens on a port of this machine, where there are no sockets. */
export function portSettings(port: number): Record<string, string> {
  return { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' };
}

/**
 * Decides where the server of a cluster will listen. None may be running.
 *
 * @param before where it listened before, so that it listens there again, if that is possible
 * @returns its settings
 * @throws {EmbeddedPostgresError} when there is no place for its socket
 */
export async function listeningSettings(
  { cluster, portFile }: DataLayout,
  before?: ServerAddress,
): Promise<Record<string, string>> {
  if (!USES_SOCKET) return portSettings(await choosePort(portFile));
  // A trial may fail where a socket was made before, for example on a full disk.
  const directory =
    before?.host === cluster ? cluster : await socketDirectory(cluster, before && dirname(before.host));
  await removeStaleSocketLock(directory, cluster);
  return socketSettings(directory, cluster);
}
