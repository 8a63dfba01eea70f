import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Client, type ClientBase, type ClientConfig, type PoolClient } from 'pg';

/**
 * Parts of pg that this service uses and that pg does not publish. Every such use is in this file.
 * `pg-internals.spec.ts` in test/database fails when a new version of pg changes one of them.
 */
interface ClientInternals {
  readonly connection: EventEmitter & { readonly stream: Duplex };
  readonly connectionParameters: { readonly query_timeout?: number | false };
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

/** Returns the client's time limit for an answer in milliseconds, or 0 for no limit. */
export function answerTimeout(client: ClientBase): number {
  return internalsOf(client).connectionParameters.query_timeout || 0;
}

/** Returns whether the client's connection is closed. The client itself learns this a moment later. */
export function isConnectionClosed(client: PoolClient): boolean {
  return internalsOf(client).connection.stream.destroyed;
}

/** Messages of pg for lost connections and full pools. These errors have no code. */
const UNAVAILABLE_MESSAGES =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|client has encountered/i;

/** Returns whether an error of pg without a code says that the database cannot be reached. */
export function saysUnavailable(error: Error): boolean {
  return UNAVAILABLE_MESSAGES.test(error.message);
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
