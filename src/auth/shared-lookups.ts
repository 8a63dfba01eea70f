import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { ApiClientsRepository, type ClientStatus } from './api-clients.repository.js';

/** Most clients of one statement. */
const MOST_AT_ONCE = 1_000;

/** Somebody who waits for a client. */
interface Waiting {
  readonly resolve: (client: ClientStatus | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Finds clients with one statement at a time for everybody who waits, so that many lookups take one
 * connection at most. A lookup never gets the answer to a statement that began before it.
 */
@Injectable()
export class SharedLookups {
  private waiting: (readonly [clientId: string, waiting: Waiting])[] = [];
  private isRunning = false;

  constructor(
    private readonly database: Database,
    private readonly clients: ApiClientsRepository,
  ) {}

  /** Finds a client that may act. @param clientId an id in lower case */
  find(clientId: string): Promise<ClientStatus | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push([clientId, { resolve, reject }]);
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    // What else arrives in this turn of the event loop goes along.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.findSome(this.waiting.splice(0, MOST_AT_ONCE));
    this.isRunning = false;
  }

  private async findSome(some: readonly (readonly [string, Waiting])[]): Promise<void> {
    try {
      const ids = [...new Set(some.map(([clientId]) => clientId))];
      const found = await this.clients.findSeveralActive(this.database, ids);
      for (const [clientId, { resolve }] of some) resolve(found.get(clientId));
    } catch (error) {
      for (const [, { reject }] of some) reject(error);
    }
  }
}
