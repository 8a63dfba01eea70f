/** Fragments of SQL for statements of other rooms on `api_clients`. Parameters are SQL expressions. */

/** The name of a client, revoked or not; null for an unknown one. */
export const clientName = (account: string, id: string): string =>
  `(SELECT client.name FROM api_clients client WHERE client.account_id = ${account} AND client.id = ${id})`;
