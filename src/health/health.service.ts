import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Database, DatabaseProbe } from '../database/index.js';
import { unavailable } from '../errors/errors.js';

/** How many nodes of a cluster there are, and are away. */
export interface NodesReady {
  readonly total: number;
  readonly away: number;
}

/** Knows whether this process can serve requests. */
@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private shuttingDown = false;

  constructor(
    private readonly probe: DatabaseProbe,
    private readonly database: Database,
  ) {}

  /** From now on the process is not ready, though it serves. */
  announceEnd(): void {
    this.shuttingDown = true;
  }

  beforeApplicationShutdown(): void {
    this.announceEnd();
  }

  /**
   * @returns undefined but on a cluster whose nodes this process asks
   * @throws 503 when the database does not answer or the process is shutting down
   */
  async assertReady(): Promise<NodesReady | undefined> {
    if (this.shuttingDown) throw unavailable('The service is shutting down');
    await this.probe.check();
    const { nodes } = this.database;
    if (nodes.length === 0) return undefined;
    return { total: nodes.length, away: nodes.filter(({ isAway }) => isAway).length };
  }
}
