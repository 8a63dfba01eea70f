import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable, KnownToAll } from '../../database/index.js';
import { RecordIndexesRepository, type ChangedType, type OpenIndex } from './record-indexes.repository.js';

/** Milliseconds between two looks at what is to be done. */
const INTERVAL = 1_000;

/** The same after a failure, such as that of a database which cannot be written. */
const PAUSE = 15_000;

/** Records of one transaction, which takes some tens of milliseconds. */
const PART = 2_000;

/** Types whose index of `last_modified_date` this process has asked for. */
const MOST_NEEDED = 10_000;

/**
 * Builds the indexes of fields that were switched on and clears those that were switched off, in the
 * background and in small transactions. What a killed process has begun goes on where it was. Several
 * processes may run it: one is at an index at a time.
 */
@Injectable()
export class IndexBuilder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IndexBuilder.name);
  private readonly known = new KnownToAll();
  private readonly asked = new Set<string>();
  private readonly needed = new Map<string, ChangedType>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly indexes: RecordIndexesRepository) {}

  onApplicationBootstrap(): void {
    this.schedule(INTERVAL);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Asks for the index of `last_modified_date` of a type, which a search could use. */
  needChanged(type: ChangedType): void {
    const key = `${type.accountId} ${type.objectType}`;
    if (this.asked.has(key)) return;
    if (this.asked.size >= MOST_NEEDED) this.asked.clear();
    this.asked.add(key);
    this.needed.set(key, type);
  }

  /**
   * Adds what was asked for, and builds or clears what all transactions know. @throws what the database
   * throws
   */
  async run(): Promise<void> {
    for (const [key, type] of this.needed) {
      await this.indexes.needChanged(type);
      this.needed.delete(key);
    }
    const open = await this.indexes.findOpen();
    if (open.length === 0) return;
    const known = this.known.add(open.map(keyOf), await this.indexes.observe());
    for (const index of open.filter((each) => known.has(keyOf(each)))) await this.finish(index);
  }

  /** The failure of one index does not keep others from being built. */
  private async finish(index: OpenIndex): Promise<void> {
    try {
      for (let isDone = false; !isDone && !this.isStopped;) {
        const started = performance.now();
        isDone = await this.indexes.advance(index, PART);
        // Requests have the database for as long.
        if (!isDone) await delay(performance.now() - started);
      }
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.logger.error('The index of a field could not be built', error);
    }
  }

  private schedule(after: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run().then(
        () => this.schedule(INTERVAL),
        (error: unknown) => {
          // The outage of a database is told elsewhere.
          if (!isUnavailable(error)) this.logger.error('The indexes of fields could not be built', error);
          this.schedule(PAUSE);
        },
      );
    }, after);
    this.timer.unref();
  }
}

function keyOf({ accountId, id, isDropped }: OpenIndex): string {
  return `${accountId} ${id} ${isDropped ? 'dropped' : 'new'}`;
}
