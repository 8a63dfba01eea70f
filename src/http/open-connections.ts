import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a server. Node.js, asked to close, waits for clients that have connected and not yet
 * asked anything: browsers and load balancers do that ahead of time.
 */
export class OpenConnections {
  /** How many requests are under way on each. */
  private readonly requests = new Map<Socket, number>();
  private finishing = false;

  /** @param server not listening yet */
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

  /** Ends every connection without a request under way, and each of the others once it has answered. */
  finish(): void {
    this.finishing = true;
    for (const [socket, requests] of this.requests) if (requests === 0) socket.destroy();
  }

  /** Ends what `finish` has left. */
  cut(): void {
    for (const socket of this.requests.keys()) socket.destroy();
  }

  private count(socket: Socket, change: number): void {
    const requests = (this.requests.get(socket) ?? 0) + change;
    if (this.requests.has(socket)) this.requests.set(socket, requests);
    if (this.finishing && requests === 0) socket.end();
  }
}
