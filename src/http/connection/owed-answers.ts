import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const NONE: ReadonlySet<ServerResponse> = new Set();
const known = new WeakMap<Server, OwedAnswers>();

/** The answers that a server owes, by connection: those of the requests whose heads have come. */
export class OwedAnswers {
  private readonly owed = new WeakMap<Duplex, Set<ServerResponse>>();

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

  /** The answers owed on a connection, in the order of their requests. */
  on(socket: Duplex): ReadonlySet<ServerResponse> {
    return this.owed.get(socket) ?? NONE;
  }
}
