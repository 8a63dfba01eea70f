import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database/index.js';
import { ApiClientsRepository, type ClientStatus } from './api-clients.repository.js';

/** Milliseconds for which a status is used. The contract allows 5 s until a revocation takes effect. */
const BELIEVED_FOR = 2_000;

/** Knows whether clients may still act. The database is asked at most once in two seconds for each. */
@Injectable()
export class ClientStatusCache {
  private readonly statuses: LRUCache<string, { status: ClientStatus | undefined }>;

  constructor(database: Database, clients: ApiClientsRepository) {
    this.statuses = new LRUCache({
      max: 10_000,
      ttl: BELIEVED_FOR,
      // Requests for the same client share one query.
      fetchMethod: async (clientId) => ({ status: await clients.findActive(database, clientId) }),
    });
  }

  /** @returns undefined for a client that may not act; a promise where the database is asked */
  get(clientId: string): ClientStatus | undefined | Promise<ClientStatus | undefined> {
    const known = this.statuses.get(clientId);
    return known === undefined ? this.ask(clientId) : known.status;
  }

  private async ask(clientId: string): Promise<ClientStatus | undefined> {
    return (await this.statuses.fetch(clientId))?.status;
  }
}
