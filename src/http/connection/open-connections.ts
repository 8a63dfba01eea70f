import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as polled, setTimeout as delay } from 'node:timers/promises';
import { OwedAnswers } from './owed-answers.js';

const POLL = 50;

/**
 * Milliseconds in which a client that connects sends its request. Load balancers that do not ask whether a
 * process is ready connect until it listens no more.
 */
const FIRST_REQUEST = 500;

/** Most turns of the event loop of which one should be quiet, and the milliseconds of such a turn. */
const MOST_TURNS = 1_000;
const SHORT_TURN = 0.5;

/**
 * Tracks the connections of a server, to end them at shutdown. `server.close()` of Node.js waits for
 * connections on which no request has been sent; browsers and load balancers open these in advance.
 */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();
  private readonly answers: OwedAnswers;
  private readonly openedAt = new WeakMap<Socket, number>();
  private finishing = false;
  /** When a client was last seen to connect or to leave, by the clock of `performance`. */
  private seenAt = -Infinity;

  /** @param server one that does not listen yet */
  constructor(private readonly server: Server) {
    this.answers = OwedAnswers.of(server);
    // `close` calls it. For Node.js a connection is idle as soon as its answer is written, before the client
    // has got it. This class ends those that are idle.
    server.closeIdleConnections = (): void => undefined;
    server.on('connection', (socket: Socket) => {
      this.seenAt = performance.now();
      this.openedAt.set(socket, this.seenAt);
      this.sockets.add(socket);
      socket.once('close', () => {
        this.seenAt = performance.now();
        this.sockets.delete(socket);
      });
      if (this.finishing) this.endSoon(socket);
    });
  }

  /**
   * Serves on, and asks every client with `Connection: close` to come back over another connection, which a
   * load balancer then opens to another process. The last answer that is owed on a connection says so. Ends
   * after a time, or before, when no client has been connected for as long.
   * @param milliseconds the time
   */
  async drain(milliseconds: number): Promise<void> {
    this.server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.answers.closeAfter(response);
    });
    for (const socket of this.sockets) {
      for (const answer of this.answers.on(socket)) this.answers.closeAfter(answer);
    }
    const end = performance.now() + milliseconds;
    while (performance.now() < end && !this.isDeserted(milliseconds)) {
      await delay(Math.min(POLL, milliseconds));
    }
    await this.quiet();
  }

  /**
   * Waits for a turn of the event loop in which nobody has connected and little was done. The system cuts
   * those who have connected and are not accepted yet when nobody listens any more.
   */
  private async quiet(): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const startedAt = performance.now();
      await polled();
      if (this.seenAt < startedAt && performance.now() - startedAt < SHORT_TURN) return;
    }
  }

  /**
   * Accepts no connection any more. Ends every connection on which no answer is owed, where its client has
   * had the time to ask, and each of the others when its last answer is given.
   */
  finish(): void {
    this.finishing = true;
    this.server.close();
    this.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      response.once('close', () => this.endIfIdle(socket));
    });
    for (const socket of this.sockets) {
      for (const answer of this.answers.on(socket)) answer.once('close', () => this.endIfIdle(socket));
      this.endSoon(socket);
    }
  }

  /** Ends every connection at once. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private isDeserted(milliseconds: number): boolean {
    return this.sockets.size === 0 && performance.now() - this.seenAt >= milliseconds;
  }

  private endSoon(socket: Socket): void {
    const age = performance.now() - (this.openedAt.get(socket) ?? -Infinity);
    if (age < FIRST_REQUEST) setTimeout(() => this.endIfIdle(socket), FIRST_REQUEST - age);
    else this.endIfIdle(socket);
  }

  private endIfIdle(socket: Socket): void {
    if (this.answers.on(socket).size === 0) socket.destroySoon();
  }
}
