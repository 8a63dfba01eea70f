import type { ApiClientEntity } from '../../auth/index.js';
import { clientForm } from '../forms/client-form.js';
import { managedView, type ManagedView } from '../change/managed-row.js';

/** A client as clients that manage the account see it. `archived`: when it was revoked. */
export interface ClientView extends ManagedView {
  readonly name: string;
  /** Space-separated. */
  readonly scope: string;
}

/** Credentials, of which the secret is shown only once: the database keeps its hash. */
export interface CredentialsView {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Returns the view of a client. */
export function clientView(client: ApiClientEntity): ClientView {
  const { id, createdAt, updatedAt, revokedAt: archivedAt } = client;
  return managedView({ id, createdAt, updatedAt, archivedAt }, clientForm(client));
}
