import type { Duplex } from 'node:stream';
import type { ClientBase } from 'pg';

/** What this service uses of a pg client and its types leave out. */
export interface ClientInternals {
  readonly connection: { readonly stream: Duplex };
  readonly connectionParameters: { readonly query_timeout?: number | false };
}

/** The one place that relies on them. */
export function internalsOf(client: ClientBase): ClientInternals {
  return client as unknown as ClientInternals;
}
