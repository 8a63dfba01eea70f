/** A message of a client. Texts have zero bytes as spaces. */
export interface ClientMessage {
  readonly type: string;
  readonly text: string;
  /** The text of the last message of type Q before it, on the same connection. */
  readonly query: string;
  /** The statements that were run before it in its transaction, as messages of type B have them. */
  readonly before: string;
}

/**
 * What happens at the message that the proxy waits for:
 *
 * - `reset before`: the connection is reset, and the server does not get the message
 * - `reset after`: the server does all that it is told, and the connection is reset before an answer
 * - `swallow`: as `reset after`, but the connection stays open and silent
 * - `silence`: the server does not get the message, and the connection stays open and silent
 */
export type Fault = 'reset before' | 'reset after' | 'swallow' | 'silence';

type Fits = (message: ClientMessage) => boolean;

/** Sends a statement of that name. */
export const executes: (name: string) => Fits;
/** Commits a transaction that has run a statement of that name: others of the service run meanwhile. */
export const commitsAfter: (name: string) => Fits;
export const commits: Fits;
/** Commits writes that share a transaction, which alone set the limit of time for locks where they begin. */
export const commitsShared: Fits;

/** Times are milliseconds. */
export class PostgresProxy {
  /**
   * Listens on a port of its own, in front of a database on a socket or a port.
   * @param options.isHalfOpen has neither end of a silent connection learn that the other has closed it
   */
  static start(databaseUrl: string, options?: { isHalfOpen?: boolean }): Promise<PostgresProxy>;
  /** The database's address through this proxy. */
  readonly url: string;
  readonly port: number;
  /** Is told each message that a client sends to the database. */
  observe: (message: ClientMessage) => void;
  /** Changes the fields of an error that the server answers: each its letter, its text and a zero byte. */
  rewriteError: (fields: string) => string;
  /** Plans a fault at the next message that fits, of any connection. It happens once. */
  failAt(at: Fits, fault: Fault): void;
  /** True when the planned fault has happened. */
  get hasFailed(): boolean;
  /**
   * Holds what the server sends for some time, and that it has closed a connection, in order. With 0, all
   * that is held goes on.
   * @param from the message of a client with which it begins. Default: at once
   */
  delayAnswers(milliseconds: number, from?: Fits): void;
  /**
   * Discards what is sent over the open connections, in both directions, and keeps them open.
   * @param options.newcomers also what is sent over later connections, until the next call or `restore`
   */
  silence(options?: { newcomers?: boolean }): void;
  /** Resets every connection that comes from now on. */
  refuse(): void;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts and serves new connections again, under the same address. */
  restore(): Promise<void>;
  close(): Promise<void>;
}
