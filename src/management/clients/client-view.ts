import type { ApiClientEntity } from '../../auth/index.js';
import { clientForm } from '../forms/client-form.js';

/** A client as clients that manage the account see it. */
export interface ClientView {
  /** Its `client_id`. */
  readonly id: string;
  readonly name: string;
  /** Space-separated. */
  readonly scope: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when the client was revoked. */
  readonly archived: false | string;
}

/** Credentials, of which the secret is shown only once: the database keeps its hash. */
export interface CredentialsView {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Returns the view of a client. */
export function clientView(client: ApiClientEntity): ClientView {
  return {
    id: client.id,
    ...clientForm(client),
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
    archived: client.revokedAt?.toISOString() ?? false,
  };
}
