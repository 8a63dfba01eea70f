import type { PoolClient } from 'pg';
import { breaksConnection, type Connections, type Lease } from './connections.js';
import type { Deadline } from './deadline.js';

/**
 * Reads that use a connection together before it goes back to the pool. Where the first has to wait for a
 * lock, the others wait behind it.
 */
const MOST = 8;

/** Milliseconds for which a read joins others that wait for a connection. They may wait in vain. */
const JOINS = 100;

/** A connection that some reads use together. */
interface Shared {
  readonly connecting: Promise<PoolClient>;
  /** By the clock of `performance`. */
  readonly since: number;
  /** Undefined until it is there. */
  client: PoolClient | undefined;
  isBroken: boolean;
  /** Reads that have come, and those of them that are not over. */
  taken: number;
  running: number;
}

/**
 * Lends connections for brief reads. Reads of one account that come while another one has a connection use
 * the same, so that many travel in one packet: a packet costs more than a read (ADR 7). Those of other
 * accounts do not wait for them.
 */
export class SharedConnections {
  private readonly open = new Map<string, Shared>();

  constructor(private readonly connections: Connections) {}

  /**
   * @param holder the account
   * @param deadline of a read that has all the time that a statement may take
   * @throws DatabaseUnavailableError, also when there is no time left for a statement
   */
  async take(holder: string, deadline: Deadline): Promise<Lease> {
    const shared = this.joinable(holder) ?? this.start(holder);
    shared.taken += 1;
    shared.running += 1;
    if (shared.taken === MOST) this.close(holder, shared);
    const release = (error?: unknown): void => this.leave(holder, shared, error);
    const { client: present, connecting } = shared;
    if (present !== undefined && this.connections.isPrepared(present)) return { client: present, release };
    const client = await this.connections.takeBy({ deadline, connecting, giveBack: () => release() });
    return { client, release };
  }

  private joinable(holder: string): Shared | undefined {
    const shared = this.open.get(holder);
    const isIn = shared?.client !== undefined || performance.now() - (shared?.since ?? 0) < JOINS;
    return isIn ? shared : undefined;
  }

  private start(holder: string): Shared {
    const counts = { client: undefined, isBroken: false, taken: 0, running: 0 };
    const shared: Shared = { connecting: this.connections.connect(), since: performance.now(), ...counts };
    shared.connecting.then(
      (client) => (shared.client = client),
      () => this.close(holder, shared),
    );
    this.open.set(holder, shared);
    return shared;
  }

  private leave(holder: string, shared: Shared, error: unknown): void {
    shared.running -= 1;
    if (breaksConnection(error)) shared.isBroken = true;
    if (shared.running === 0 || shared.isBroken) this.close(holder, shared);
    if (shared.running === 0) shared.client?.release(shared.isBroken);
  }

  /** Lets no more reads join. */
  private close(holder: string, shared: Shared): void {
    if (this.open.get(holder) === shared) this.open.delete(holder);
  }
}
