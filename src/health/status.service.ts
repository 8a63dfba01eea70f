import { randomUUID } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Background, Database } from '../database/index.js';
import { fairleadVersion } from '../settings/package.js';
import { StatusRepository, type AccountSize, type NodeSize } from './status.repository.js';

/** Milliseconds between two signs of life. */
const BEAT_MS = 20_000;

/** Milliseconds between two measurements of nodes and accounts, which read what all accounts have. */
const SIZES_MS = 600_000;

/** What was measured last. */
interface Sizes {
  readonly at: Date;
  readonly nodes: readonly NodeSize[];
  readonly largest: readonly AccountSize[];
}

/** Says that this process runs, and tells what all of them are. */
@Injectable()
export class StatusService implements BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private readonly release = fairleadVersion();
  private isKnown = false;
  private sizes: Sizes | undefined;

  constructor(
    private readonly database: Database,
    private readonly known: StatusRepository,
    private readonly background: Background,
  ) {
    background.repeat({
      name: 'heartbeat',
      every: BEAT_MS,
      failure: 'Other processes do not see this one',
      run: () => this.beat(),
    });
    background.repeat({
      name: 'sizes',
      every: SIZES_MS,
      failure: 'The sizes of nodes and accounts are not known',
      run: () => this.measure(),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    // One that cannot say so is forgotten in a minute.
    if (this.isKnown) await this.known.leave(this.database, this.id).catch(() => undefined);
  }

  /** Returns how the service is (contract section 6). @throws 503 when the database does not answer */
  async read() {
    const { database, release } = this;
    const { database: version, applied, processes } = await this.known.read(database, this.id);
    const known = new Set(applied);
    const { open, idle, waiting } = database.use;
    return {
      release,
      schema: {
        version: applied.at(-1) ?? null,
        pending: database.migrations.filter((name) => !known.has(name)).length,
      },
      database: { version, ...this.whatNodesHave() },
      processes: processes.map(({ started, seen, ...each }) => ({
        ...each,
        started_at: new Date(started).toISOString(),
        seen_at: new Date(seen).toISOString(),
      })),
      pool: { size: database.connections, busy: open - idle, waiting },
      lags: this.background.lags(),
    };
  }

  /** The sizes are those that were measured last. */
  private whatNodesHave() {
    const { sizes, database } = this;
    const nodes = new Map(
      sizes?.nodes.map((node) => [node.name, { ...node, state: database.isDistributed ? 'unknown' : 'ok' }]),
    );
    const asked = database.nodes.map(({ name, isAway }) => ({
      ...(nodes.get(name) ?? { name, accounts: null, bytes: null }),
      state: isAway ? 'away' : 'ok',
    }));
    const others = [...nodes.values()].filter(({ name }) => asked.every((each) => each.name !== name));
    return {
      nodes: [...asked, ...others],
      largest_accounts: sizes?.largest ?? [],
      measured_at: sizes?.at.toISOString() ?? null,
    };
  }

  private async measure(): Promise<void> {
    const { database, known } = this;
    const [nodes, largest] = await Promise.all([known.nodes(database), known.largest(database)]);
    this.sizes = { at: new Date(), nodes, largest };
  }

  private async beat(): Promise<void> {
    this.isKnown = false;
    const { id, release } = this;
    await this.known.beat(this.database, { id, release });
    this.isKnown = true;
  }
}
