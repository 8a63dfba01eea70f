import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as polled, setTimeout as delay } from 'node:timers/promises';
import { countOwedAnswers, isEnding, owedOn } from './owed-answers.js';

const POLL_MS = 50;

/**
 * Milliseconds in which a client that connects sends its request. Load balancers that do not ask whether a
 * process is ready connect until it listens no more.
 */
const FIRST_REQUEST_MS = 500;

/** Most turns of the event loop of which one should be quiet, and the milliseconds of such a turn. */
const MOST_TURNS = 1_000;
const SHORT_TURN_MS = 0.5;

/** Ends the connections of a server at shutdown so that no request is lost. */
export class OpenConnections {
  /** When each was opened, by the clock of `performance`. */
  private readonly openedAt = new Map<Socket, number>();
  private isFinishing = false;
  /** When a client was last seen to connect or to leave. */
  private seenAt = -Infinity;

  /** @param server one that does not listen yet */
  constructor(private readonly server: Server) {
    countOwedAnswers(server);
    server.on('connection', (socket: Socket) => {
      this.seenAt = performance.now();
      this.openedAt.set(socket, this.seenAt);
      socket.once('close', () => {
        this.seenAt = performance.now();
        this.openedAt.delete(socket);
      });
      if (this.isFinishing) this.endSoon(socket);
    });
  }

  /**
   * Serves on, and asks every client with `Connection: close` to come back over another connection, which a
   * load balancer then opens to another process. The last answer that is owed on a connection says so. Ends
   * after a time, or before, when no client has been connected for as long.
   * @param milliseconds the time
   */
  async drain(milliseconds: number): Promise<void> {
    for (const socket of this.openedAt.keys()) closeBehind([...owedOn(socket)].at(-1));
    this.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      // The answer before is no longer the last. Node.js would end the connection behind it.
      const before = [...owedOn(socket)].at(-1);
      if (before !== undefined && !isEnding(socket)) before.shouldKeepAlive = true;
      closeBehind(response);
    });
    const end = performance.now() + milliseconds;
    while (performance.now() < end && !this.isDeserted(milliseconds)) {
      await delay(Math.min(POLL_MS, milliseconds));
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
      if (this.seenAt < startedAt && performance.now() - startedAt < SHORT_TURN_MS) return;
    }
  }

  /**
   * Accepts no connection any more. Ends every connection on which no answer is owed, where its client has
   * had the time to ask, and each of the others when its last answer is sent.
   * @param grace milliseconds after which all that are left are cut
   * @returns when no connection is left
   */
  async finish(grace: number): Promise<void> {
    this.isFinishing = true;
    const closed = once(this.server, 'close');
    // `close` of an HTTP server cuts those whose answer is written, before the client has got it.
    NetServer.prototype.close.call(this.server);
    this.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      response.once('close', () => this.endIfIdle(socket));
    });
    for (const socket of this.openedAt.keys()) {
      for (const answer of owedOn(socket)) answer.once('close', () => this.endIfIdle(socket));
      this.endSoon(socket);
    }
    const cut = setTimeout(() => this.server.closeAllConnections(), grace);
    await closed;
    clearTimeout(cut);
  }

  private isDeserted(milliseconds: number): boolean {
    return this.openedAt.size === 0 && performance.now() - this.seenAt >= milliseconds;
  }

  private endSoon(socket: Socket): void {
    const age = performance.now() - (this.openedAt.get(socket) ?? -Infinity);
    if (age < FIRST_REQUEST_MS) setTimeout(() => this.endIfIdle(socket), FIRST_REQUEST_MS - age);
    else this.endIfIdle(socket);
  }

  private endIfIdle(socket: Socket): void {
    if (owedOn(socket).size === 0) socket.destroySoon();
  }
}

/** Makes an answer say `Connection: close`, unless its head is written. */
function closeBehind(answer: ServerResponse | undefined): void {
  if (answer?.headersSent === false) answer.shouldKeepAlive = false;
}
