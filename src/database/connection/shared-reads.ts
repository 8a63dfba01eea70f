import type { PoolClient } from 'pg';
import type { Deadline } from './deadline.js';
import type { Nodes } from './nodes.js';

/** Most reads that use a connection before it goes back to the pool. */
const MOST = 8;

/** A connection for one statement. Exactly one of the two is called, when the statement has ended. */
export interface Lease {
  readonly client: PoolClient;
  readonly release: () => void;
  /** See `Connections.failed`. */
  readonly failed: (error: unknown, isHurried: boolean) => unknown;
}

/** A connection on which reads of one account are in progress. */
interface Shared {
  readonly client: PoolClient;
  taken: number;
  running: number;
  isBroken: boolean;
}

/**
 * Lets brief reads of an account that come while one of them is in progress use the same connection: many
 * travel in one packet, and a session of PostgreSQL wakes up once for them. So fewer sessions compete for the
 * processors, which those that dispatch and write need (ADR 34).
 */
export class SharedReads {
  private readonly open = new Map<string, Shared>();

  constructor(private readonly nodes: Nodes) {}

  /** @throws as `Nodes.take` */
  async take(accountId: string, deadline: Deadline): Promise<Lease> {
    const present = this.open.get(accountId);
    if (present !== undefined) return this.join(accountId, present);
    const client = await this.nodes.take(deadline, accountId);
    // Of reads that have waited for connections at the same time, all use the first one that came.
    const first = this.open.get(accountId);
    if (first !== undefined) client.release();
    return this.join(accountId, first ?? { client, taken: 0, running: 0, isBroken: false });
  }

  private join(accountId: string, shared: Shared): Lease {
    shared.taken += 1;
    shared.running += 1;
    if (shared.taken < MOST) this.open.set(accountId, shared);
    else this.close(accountId, shared);
    const end = (isBroken: boolean): void => {
      shared.isBroken ||= isBroken;
      shared.running -= 1;
      if (shared.running > 0 && !shared.isBroken) return;
      this.close(accountId, shared);
      if (shared.running === 0) shared.client.release(shared.isBroken);
    };
    return {
      client: shared.client,
      release: () => end(false),
      failed: (error, isHurried) => this.nodes.failed(shared.client, error, { isHurried, release: end }),
    };
  }

  /** Lets no more reads join. */
  private close(accountId: string, shared: Shared): void {
    if (this.open.get(accountId) === shared) this.open.delete(accountId);
  }
}
