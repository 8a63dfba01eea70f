import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { ApiClientsRepository, type ClientStatus } from './api-clients.repository.js';

/** Most clients of one statement. */
const MOST_AT_ONCE = 1_000;

/** A statement that is to come, and its answer. */
interface Lookup {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlyMap<string, ClientStatus>>;
}

/**
 * Finds clients with one statement at a time for everybody who waits, so that many lookups take one
 * connection at most. A lookup never gets the answer to a statement that began before it.
 */
@Injectable()
export class SharedLookups {
  private next: Lookup | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
  ) {}

  /** Finds a client that may act. @param clientId an id in lower case */
  async find(clientId: string): Promise<ClientStatus | undefined> {
    if (this.next === undefined || this.next.ids.size === MOST_AT_ONCE) this.next = this.behind(this.last);
    const { ids, found } = this.next;
    ids.add(clientId);
    return (await found).get(clientId);
  }

  private behind(last: Promise<unknown>): Lookup {
    const ids = new Set<string>();
    const found = last.then(() => {
      if (this.next?.ids === ids) this.next = undefined;
      return this.clients.findSeveralActive(this.database, [...ids]);
    });
    this.last = found.catch(() => undefined);
    return { ids, found };
  }
}
