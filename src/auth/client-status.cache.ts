import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database/index.js';
import { ApiClientsRepository, type ClientStatus } from './api-clients.repository.js';

/**
 * Milliseconds for which a cached status is used. The contract allows 5 s until a revocation takes effect.
 */
const BELIEVED_FOR = 2_000;

/**
 * Caches whether a client may still act. Queries the database at most once in two seconds for each client.
 */
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

  /**
   * @returns undefined for a client that is unknown, revoked or of a suspended account; a promise where the
   * database is asked
   */
  get(clientId: string): ClientStatus | undefined | Promise<ClientStatus | undefined> {
    const known = this.statuses.get(clientId);
    return known === undefined ? this.ask(clientId) : known.status;
  }

  private async ask(clientId: string): Promise<ClientStatus | undefined> {
    return (await this.statuses.fetch(clientId))?.status;
  }
}
