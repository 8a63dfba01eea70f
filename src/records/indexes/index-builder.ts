import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isOutage, isWorkTooLong, KnownToAll } from '../../database/index.js';
import { BuildPace } from './build-pace.js';
import {
  CHANGED,
  RecordIndexesRepository,
  type ChangedType,
  type OpenIndex,
} from './record-indexes.repository.js';

/** Milliseconds between two looks at what is to be done. */
const INTERVAL = 1_000;

/** The same after a failure, such as that of a database which cannot be written. */
const PAUSE = 15_000;

/** Milliseconds for which one index is built before others have their turn. */
const TURN = 10_000;

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
  /** Those of the indexes that are open. */
  private paces = new Map<string, BuildPace>();
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
   * Adds what was asked for, and builds or clears what all transactions know. The failure of one index does
   * not keep others from being built. @throws what the database throws when it is away
   */
  async run(): Promise<void> {
    for (const [key, type] of this.needed) await this.addChanged(key, type);
    const open = await this.indexes.findOpen();
    this.paces = new Map(open.map((each) => [keyOf(each), this.paceOf(each)]));
    if (open.length === 0) return;
    const known = this.known.add(open.map(keyOf), await this.indexes.observe());
    for (const index of open.filter((each) => known.has(keyOf(each)))) await this.takeTurn(index);
  }

  private async addChanged(key: string, type: ChangedType): Promise<void> {
    try {
      await this.indexes.needChanged(type);
    } catch (error) {
      if (isOutage(error)) throw error;
      this.asked.delete(key);
      this.logger.error(
        `The index of ${nameOf({ ...type, field: CHANGED })} could not be added: ${reasonOf(error)}`,
      );
    }
    this.needed.delete(key);
  }

  private async takeTurn(index: OpenIndex): Promise<void> {
    const pace = this.paceOf(index);
    if (pace.isResting(performance.now())) return;
    try {
      const end = performance.now() + TURN;
      for (let isDone = false; !isDone && !this.isStopped && performance.now() < end;) {
        const started = performance.now();
        isDone = await this.indexes.advance(index, pace.most);
        const ms = performance.now() - started;
        pace.done(ms);
        // Requests have the database for as long.
        if (!isDone) await delay(ms);
      }
    } catch (error) {
      if (isOutage(error)) throw error;
      // The next turn is with the smaller part, so that others wait for one attempt at most.
      if (isWorkTooLong(error) && pace.tooLong()) return;
      pace.failed(performance.now());
      const done = index.isDropped ? 'cleared' : 'built';
      this.logger.error(`The index of ${nameOf(index)} could not be ${done}: ${reasonOf(error)}`);
    }
  }

  private paceOf(index: OpenIndex): BuildPace {
    return this.paces.get(keyOf(index)) ?? new BuildPace();
  }

  private schedule(after: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run().then(
        () => this.schedule(INTERVAL),
        (error: unknown) => {
          // The outage of a database is told elsewhere.
          if (!isOutage(error))
            this.logger.error(`The indexes of fields could not be built: ${reasonOf(error)}`);
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

function nameOf({ accountId, objectType, field }: ChangedType & Pick<OpenIndex, 'field'>): string {
  return `${objectType}.${field} of account ${accountId}`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
