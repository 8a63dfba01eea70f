import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientBase, type ClientConfig, type Pool, type PoolClient } from 'pg';

/**
 * Parts of pg that this service uses and that pg does not publish. Every such use is in this file.
 * `pg-internals.spec.ts` in test/faults fails when a new version of pg changes one of them.
 */
interface ClientInternals {
  readonly connection: EventEmitter & { readonly stream: Duplex };
  readonly connectionParameters: { query_timeout?: number | false | undefined };
}

interface PoolInternals {
  readonly _idle: readonly { readonly client: PoolClient }[];
  _remove(client: PoolClient): void;
}

function internalsOf(client: ClientBase): ClientInternals {
  return client as unknown as ClientInternals;
}

/** Collects what the running code sends and sends it as one packet when that code has finished. */
export function sendTogether(client: ClientBase): void {
  const { stream } = internalsOf(client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** As `sendTogether`, with what is sent until the event loop has handled all that it has received. */
export function sendWithTurn(client: ClientBase): void {
  const { stream } = internalsOf(client).connection;
  stream.cork();
  setImmediate(() => stream.uncork());
}

/**
 * Gives a client another time limit for answers, also to statements that others send over it.
 * @returns gives back the one before
 */
export function limitAnswers(client: ClientBase, limit: number): () => void {
  const { connectionParameters } = internalsOf(client);
  const before = connectionParameters.query_timeout;
  connectionParameters.query_timeout = limit;
  return () => (connectionParameters.query_timeout = before);
}

/** Returns the client's time limit for an answer in milliseconds, or 0 for no limit. */
export function answerTimeout(client: ClientBase): number {
  return internalsOf(client).connectionParameters.query_timeout || 0;
}

/** Returns whether the client's connection is closed. The client itself learns this a moment later. */
export function isConnectionClosed(client: PoolClient): boolean {
  return internalsOf(client).connection.stream.destroyed;
}

/** An error that PostgreSQL has answered over a connection in use. See `markErrors`. */
interface AnsweredError {
  severity?: string | undefined;
  endsSession?: boolean;
}

/** Severities of errors behind which PostgreSQL ends the session. */
const ENDING = new Set<string | undefined>(['FATAL', 'PANIC']);

/**
 * Gives each error that PostgreSQL answers over a connection from now on its severity in English, and marks
 * those that end the session. pg reads only the severity in the language of the server (the field S), and
 * not the one behind it that is never translated (V).
 */
export function markErrors(client: ClientBase): void {
  const { connection } = internalsOf(client);
  let received: Buffer = Buffer.alloc(0);
  connection.stream.prependListener('data', (chunk: Buffer) => (received = chunk));
  connection.prependListener('errorMessage', (error: AnsweredError) => {
    error.severity = untranslated(received, error.severity);
    error.endsSession = ENDING.has(error.severity);
  });
}

/** Finds the severity that follows a translated one. Undefined there: the translated one. */
function untranslated(received: Buffer, severity: string | undefined): string | undefined {
  const fields = Buffer.from(`S${severity ?? ''}\0V`);
  const at = received.indexOf(fields);
  if (at < 0) return severity;
  const start = at + fields.length;
  return received.toString('utf8', start, received.indexOf(0, start));
}

/** Returns the severity of an error that PostgreSQL has answered. */
export function severityOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as AnsweredError).severity : undefined;
}

/** Returns whether PostgreSQL has ended the session with this error. A refused login had none. */
export function endsSession(error: unknown): boolean {
  return error instanceof Error && (error as AnsweredError).endsSession === true;
}

/** Messages of pg for connections that are lost while they are open. These errors have no code. */
const LOST_MESSAGES =
  /^connection terminated(?! due to connection timeout)|query read timeout|client (has encountered|was closed)/i;

/** Messages of pg for connections that cannot be had. */
const NO_CONNECTION_MESSAGES = /connection terminated|timeout exceeded when trying to connect/i;

/** Returns whether an error of pg without a code says that an open connection is gone. */
export function saysConnectionLost(error: Error): boolean {
  return LOST_MESSAGES.test(error.message);
}

/** Returns whether an error of pg says that an answer has not come in time. */
export function saysNoAnswer(error: unknown): boolean {
  return error instanceof Error && /query read timeout/i.test(error.message);
}

/** Returns whether an error of pg says that no connection of the pool was free in time. */
export function saysNoConnection(error: unknown): boolean {
  return error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message);
}

/** Returns whether an error of pg without a code says that the database cannot be reached. */
export function saysUnavailable(error: Error): boolean {
  return saysConnectionLost(error) || NO_CONNECTION_MESSAGES.test(error.message);
}

/** Returns the process that the server named at the login: its own, or a number that a pooler has made up. */
export function announcedProcess(client: ClientBase): number | null {
  return (client as unknown as { readonly processID: number | null }).processID;
}

/** Closes the connections of a pool that nobody uses at the moment. */
export function closeIdle(pool: Pool): void {
  const internals = pool as unknown as PoolInternals;
  for (const { client } of [...internals._idle]) internals._remove(client);
}

/**
 * A client that proves its password by SCRAM-SHA-256 and gives it away in no other form, like libpq with
 * `require_auth=scram-sha-256`. It lets in no server that has not proven that it knows the password too. pg's
 * own client sends its password in clear text, or its MD5 hash, to any server that asks for it.
 *
 * `connect` fails with an error of the code 08P01 (protocol violation) when the server wants something else.
 */
export class ScramClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = internalsOf(this);
    let proven = false;
    const refuse = (what: string): void => {
      const error = new Error(`The server of the embedded database ${what}, and only SCRAM-SHA-256 is used`);
      connection.emit('error', Object.assign(error, { code: '08P01' }));
    };
    // pg answers these events after the listeners here, over a connection that is destroyed then.
    connection.on('error', () => connection.stream.destroy());
    connection.on('authenticationCleartextPassword', () => refuse('asks for the password in clear text'));
    connection.on('authenticationMD5Password', () => refuse('asks for the MD5 hash of the password'));
    // A proof that is wrong, or not expected yet, makes pg emit an error.
    connection.on('authenticationSASLFinal', () => (proven = true));
    connection.on('authenticationOk', () => {
      if (!proven) refuse('asks for no password');
    });
  }
}
