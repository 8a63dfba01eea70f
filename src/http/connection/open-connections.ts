import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks the connections of a server, to end them at shutdown. `server.close()` of Node.js waits for
 * connections on which no request has been sent; browsers and load balancers open these in advance.
 */
export class OpenConnections {
  /** Number of requests in progress on each connection. */
  private readonly requests = new Map<Socket, number>();
  private finishing = false;

  /** @param server one that does not listen yet */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.requests.set(socket, 0);
      socket.once('close', () => this.requests.delete(socket));
      if (this.finishing) socket.destroy();
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.count(socket, 1);
      response.once('close', () => this.count(socket, -1));
    });
  }

  /**
   * Ends every connection without a request in progress, and each of the others when its request is answered.
   */
  finish(): void {
    this.finishing = true;
    for (const [socket, requests] of this.requests) if (requests === 0) socket.destroy();
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const socket of this.requests.keys()) socket.destroy();
  }

  private count(socket: Socket, change: number): void {
    const requests = (this.requests.get(socket) ?? 0) + change;
    if (this.requests.has(socket)) this.requests.set(socket, requests);
    if (this.finishing && requests === 0) socket.end();
  }
}
