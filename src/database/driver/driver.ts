import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import {
  Client,
  Pool,
  type ClientBase,
  type PoolClient,
  type PoolConfig,
  type QueryConfig,
  type QueryResult,
  type ClientConfig,
} from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

/**
 * What this service uses of pg and TypeORM that they do not publish. Every such use is in this folder.
 * `test/database/driver.spec.ts` fails when a new version changes one of them.
 */
interface ClientInternals {
  readonly connection: EventEmitter & { readonly stream: Duplex };
  readonly connectionParameters: { query_timeout?: number | false | undefined };
}

/** Returns what pg does not publish of a client. */
export const internalsOf = (client: ClientBase): ClientInternals => client as unknown as ClientInternals;

/** Returns the pg pool of a data source; undefined for a data source that is not connected. */
export function poolOf(dataSource: DataSource): Pool | undefined {
  return (dataSource.driver as unknown as { readonly master?: Pool }).master;
}

/** Returns a pool like another one, but for some options. Its connections are made when they are used. */
export function poolBeside(pool: Pool, options: PoolConfig): Pool {
  const { password } = pool.options;
  // The pool hides the password from copies of its options.
  const beside = new Pool({
    ...pool.options,
    ...(password !== undefined && { password }),
    min: 0,
    ...options,
  });
  // It drops an idle connection that is lost. The next use opens another.
  beside.on('error', () => undefined);
  return beside;
}

/** Returns TypeORM's entities over a connection that is inside a transaction. */
export function entitiesOver(dataSource: DataSource, client: PoolClient): EntityManager {
  const runner = dataSource.createQueryRunner();
  // It takes no connection of its own, begins no transaction, and is never released.
  Object.assign(runner, { databaseConnection: client, isTransactionActive: true, transactionDepth: 1 });
  return runner.manager;
}

/** A statement as it is sent. Without a name it is not prepared, and without values it may be several. */
export interface SentQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Sends a statement. The types of pg lack the limit of a single one.
 * @param limit milliseconds after which its answer counts as lost
 */
export function sendLimited(
  client: ClientBase,
  { name, text, values }: SentQuery,
  limit: number,
): Promise<QueryResult> {
  return client.query({ name, text, values, query_timeout: limit } as unknown as QueryConfig);
}

/** Collects what the running code sends and sends it as one packet when that code has finished. */
export function sendTogether(client: ClientBase): void {
  const { stream } = internalsOf(client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Gives a connection another time limit for answers, in milliseconds, also to statements of TypeORM.
 * @returns gives back the one before
 */
export function limitAnswers(client: ClientBase, limit: number): () => void {
  const { connectionParameters } = internalsOf(client);
  const before = connectionParameters.query_timeout;
  connectionParameters.query_timeout = limit;
  return () => (connectionParameters.query_timeout = before);
}

/** Returns whether a connection is closed. The client itself learns this a moment later. */
export function isClosed(client: ClientBase): boolean {
  return internalsOf(client).connection.stream.destroyed;
}

/**
 * Gives a client that is not connected the connection of another one, of which nothing is used afterwards.
 * Nothing may be under way on it.
 */
export function takeOver(client: Client, connected: Client): void {
  const { connection, connectionParameters } = internalsOf(connected);
  connection.removeAllListeners();
  const { host, port, processID, secretKey } = connected as Client &
    Record<'processID' | 'secretKey', number>;
  Object.assign(client, { connection, connectionParameters, host, port, processID, secretKey });
  // pg listens to the connection, and need not make it.
  Object.assign(connection, { connect: () => undefined });
  Client.prototype.connect.call(client, () => undefined);
  connection.emit('readyForQuery', { status: 'I' });
}

/** Messages of pg for connections that are lost while they are open. These errors have no code. */
const LOST =
  /^connection terminated(?! due to connection timeout)|query read timeout|client (has encountered|was closed)/i;

/** Messages of pg for connections that cannot be had. */
const NO_CONNECTION = /connection terminated|timeout exceeded when trying to connect/i;

/**
 * Returns whether an error of pg says that a statement was not sent, because the connection was gone before.
 */
export const saysNotSent = (error: unknown): boolean =>
  error instanceof Error && /is not queryable/i.test(error.message);

/** Returns whether an error of pg without a code says that an open connection is gone. */
export const saysConnectionLost = (error: Error): boolean => LOST.test(error.message);

/** Returns whether an error of pg without a code says that the database cannot be reached. */
export const saysUnavailable = (error: Error): boolean =>
  saysConnectionLost(error) || NO_CONNECTION.test(error.message);

/** Returns whether an error of pg says that an answer has not come in time. */
export const saysNoAnswer = (error: unknown): boolean =>
  error instanceof Error && /query read timeout/i.test(error.message);

/** Returns whether an error of pg says that no connection of the pool was free in time. */
export const saysNoConnection = (error: unknown): boolean =>
  error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message);

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
