import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { beforeHead } from './before-head.js';

const NONE: ReadonlySet<ServerResponse> = new Set();
const known = new WeakMap<Server, OwedAnswers>();

/** The answers that a server owes, by connection: those of the requests whose heads have come. */
export class OwedAnswers {
  private readonly owed = new WeakMap<Duplex, Set<ServerResponse>>();
  private readonly ending = new WeakSet<Duplex>();

  private constructor(server: Server) {
    // It comes before the application, which asks for the answers of its own connection.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const answers = this.owed.get(socket);
      if (answers === undefined) this.owed.set(socket, new Set([response]));
      else answers.add(response);
      response.once('close', () => this.owed.get(socket)?.delete(response));
    });
  }

  /** Those of a server, which are counted from the first call on. */
  static of(server: Server): OwedAnswers {
    const answers = known.get(server) ?? new OwedAnswers(server);
    known.set(server, answers);
    return answers;
  }

  /**
   * Makes an answer say `Connection: close` if it is the last that is owed when its head is written. Node.js
   * ends the connection behind an answer that says so, and the answers behind it would be lost.
   */
  closeAfter(response: ServerResponse): void {
    const { socket } = response.req;
    beforeHead(response, () => {
      if ([...this.on(socket)].at(-1) === response) this.endBehind(response);
    });
  }

  /** Makes an answer whose head is not written say `Connection: close`. Nothing behind it is served. */
  endBehind(response: ServerResponse): void {
    response.shouldKeepAlive = false;
    this.ending.add(response.req.socket);
  }

  /** Whether an answer has said that the connection ends behind it. Later requests get no answer. */
  isEnding(socket: Duplex): boolean {
    return this.ending.has(socket);
  }

  /** The answers owed on a connection, in the order of their requests. */
  on(socket: Duplex): ReadonlySet<ServerResponse> {
    return this.owed.get(socket) ?? NONE;
  }
}
