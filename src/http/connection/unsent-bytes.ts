import type { Socket } from 'node:net';

/** What Node.js writes to for a socket. It is not published, and absent when the socket is closed. */
interface Handle {
  /** All bytes given to it. */
  readonly bytesWritten: number;
  /** Those of them that the system has not taken yet. */
  readonly writeQueueSize: number;
}

/**
 * The bytes written to a socket that the system has not taken yet. `writableLength` keeps all bytes of a
 * write until the last of them is taken, so it does not tell a client that reads a large answer slowly from
 * one that does not read it.
 */
export function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null };
  if (!handle) return 0;
  return socket.bytesWritten - handle.bytesWritten + handle.writeQueueSize;
}
