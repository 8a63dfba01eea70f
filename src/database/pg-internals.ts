import type { Duplex } from 'node:stream';
import type { ClientBase, PoolClient } from 'pg';

/**
 * Parts of pg that this service uses and that pg does not publish. Every such use is in this file.
 * `pg-internals.spec.ts` in test/database fails when a new version of pg changes one of them.
 */
interface ClientInternals {
  readonly connection: { readonly stream: Duplex };
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
