import type { Duplex } from 'node:stream';
import type { ClientBase, PoolClient } from 'pg';

/**
 * What this service uses of pg and pg does not publish. Every such use is in this file; `pg-internals.spec.ts` in
 * test/database fails when a new version of pg changes one of them.
 */
interface ClientInternals {
  readonly connection: { readonly stream: Duplex };
  readonly connectionParameters: { readonly query_timeout?: number | false };
}

function internalsOf(client: ClientBase): ClientInternals {
  return client as unknown as ClientInternals;
}

/** Holds back what the running code sends until it is done, so that it travels as one packet. */
export function sendTogether(client: ClientBase): void {
  const { stream } = internalsOf(client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The client's time limit for an answer in milliseconds; 0 for none. */
export function answerTimeout(client: ClientBase): number {
  return internalsOf(client).connectionParameters.query_timeout || 0;
}

/** Whether the client's connection is closed, which the client itself learns a moment later. */
export function isConnectionClosed(client: PoolClient): boolean {
  return internalsOf(client).connection.stream.destroyed;
}

/** Messages of pg for lost connections and full pools, which carry no code. */
const UNAVAILABLE_MESSAGES =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|client has encountered/i;

/** Whether an error of pg without a code says that the database cannot be reached. */
export function saysUnavailable(error: Error): boolean {
  return UNAVAILABLE_MESSAGES.test(error.message);
}
