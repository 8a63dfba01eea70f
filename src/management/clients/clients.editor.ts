import { Injectable } from '@nestjs/common';
import {
  ApiClientsRepository,
  hashClientSecret,
  newClientSecret,
  type ApiClientEntity,
} from '../../auth/index.js';
import { newId } from '../../database/index.js';
import type { ConfigurationChange } from '../change/configuration-change.js';
import type { ChangedObject } from '../change/planned-change.js';
import { clientForm } from '../forms/client-form.js';

/** What is set of a client. */
export type ClientValues = Pick<ApiClientEntity, 'name' | 'scopes'>;

/** The credentials of a client. The secret is returned only here: the database keeps its hash. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Creates, changes, rotates and revokes API clients. No secret is noted. */
@Injectable()
export class ClientsEditor {
  constructor(private readonly clients: ApiClientsRepository) {}

  async create(change: ConfigurationChange, values: ClientValues): Promise<ClientCredentials> {
    const [id, clientSecret] = [newId(), newClientSecret()];
    const secretHash = hashClientSecret(clientSecret);
    await this.clients.insert(change.tx, change.account, { ...values, id, secretHash });
    change.note(objectOf({ id, ...values }), { before: null, after: clientForm(values) });
    return { clientId: id, clientSecret };
  }

  async change(
    change: ConfigurationChange,
    present: ApiClientEntity,
    values: Partial<ClientValues>,
  ): Promise<void> {
    const wanted = { id: present.id, name: present.name, scopes: present.scopes, ...values };
    const forms = { before: clientForm(present), after: clientForm(wanted) };
    if (change.note(objectOf(wanted), forms)) await this.clients.update(change.tx, change.account, wanted);
  }

  /**
   * Replaces the secret. A secret that was replaced earlier stops working.
   * @param overlap seconds for which the secret before works on
   */
  async rotate(
    change: ConfigurationChange,
    present: ApiClientEntity,
    overlap: number,
  ): Promise<ClientCredentials> {
    const { id } = present;
    const clientSecret = newClientSecret();
    const secretHash = hashClientSecret(clientSecret);
    await this.clients.rotate(change.tx, change.account, { id, secretHash, overlap });
    const values = [{ path: 'overlap_seconds', from: null, to: overlap }];
    change.add('rotate', objectOf(present), { values });
    return { clientId: id, clientSecret };
  }

  /** Revokes a client. Its tokens stop working within 5 s. */
  async revoke(change: ConfigurationChange, present: ApiClientEntity): Promise<void> {
    await this.clients.update(change.tx, change.account, { id: present.id, revokedAt: new Date() });
    change.add('archive', objectOf(present));
  }
}

function objectOf({ id, name }: Pick<ApiClientEntity, 'id' | 'name'>): ChangedObject {
  return { kind: 'client', id, name };
}
