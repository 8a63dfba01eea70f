import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { isUnavailable, SettledIds } from '../../database/index.js';
import { CounterKeeper } from './counter-keeper.js';
import { DISTANCE, RecordCountsRepository, type CountedType } from './record-counts.repository.js';

/** Milliseconds between two looks at what waits. */
const INTERVAL = 1_000;

/** Records that are created or found not to be counted before they are counted in the background. */
const MUCH = 500;

/** Types of which creations are noted. */
const MOST_NOTED = 10_000;

const NEVER = new Date(0);

/** A type whose records are to be counted. */
interface Wanted {
  readonly type: CountedType;
  /** Whether that was said since the last round. */
  isNew: boolean;
  /** When it was noticed, by the clock of the database; undefined until it is. */
  noticed: Date | undefined;
  /** Until when ids were settled when the type was folded last; NEVER where it has to be folded anyway. */
  folded: Date;
}

/** The same after a failure, such as that of a database which cannot be written. */
const PAUSE = 15_000;

/**
 * Adds the changes of records to their counts in the background, so that a request reads few of them, and
 * runs the keeper of counters. Counts are exact at any time, whether this runs or not. Several processes may
 * run it.
 */
@Injectable()
export class CountFolder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(CountFolder.name);
  private readonly settled = new SettledIds(DISTANCE);
  /** Types of which much is not counted, by their key. */
  private readonly wanted = new Map<string, Wanted>();
  /** Records created since their type was wanted last, by its key. */
  private readonly created = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly counts: RecordCountsRepository,
    private readonly keeper: CounterKeeper,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.keeper.stop();
    clearTimeout(this.timer);
    await this.running;
  }

  /** Notes that a request found records of a type that are not counted. Many are counted soon. */
  noteUncounted(type: CountedType, uncounted: number): void {
    if (uncounted > MUCH) this.want(type);
  }

  /** Notes a new record of a type. Many are counted soon, so that the next list need not count them. */
  noteCreated(type: CountedType): void {
    const key = keyOf(type);
    const created = (this.created.get(key) ?? 0) + 1;
    if (created > MUCH) this.want(type);
    if (this.created.size >= MOST_NOTED) this.created.clear();
    this.created.set(key, created > MUCH ? 0 : created);
  }

  /** Adds what waits. @throws what the database throws */
  async fold(): Promise<void> {
    const changed = await this.counts.findChanged();
    if (changed.length === 0 && this.wanted.size === 0) return;
    const observation = await this.counts.observe();
    const settled = this.settled.add(observation);
    for (const wanted of this.wanted.values()) wanted.noticed ??= observation.at;
    if (settled === undefined) return;
    const types = new Map(changed.map((type) => [keyOf(type), type]));
    for (const [key, wanted] of this.takeDue(settled)) types.set(key, wanted.type);
    for (const type of types.values()) {
      if (this.isStopped) return;
      // What is left is done in the next round.
      if (await this.foldType(type, settled)) this.want(type, NEVER);
    }
  }

  /**
   * Returns the wanted types to fold in this round. One is folded when it was wanted since the last round and
   * when all records are settled that were there when it was wanted; then it is wanted no longer. None is
   * folded again before more is settled.
   */
  private takeDue(settled: Date): [string, Wanted][] {
    const due = [...this.wanted].filter(([, { isNew, noticed, folded }]) => {
      return folded < settled && (isNew || (noticed !== undefined && noticed <= settled));
    });
    for (const [key, wanted] of due) {
      if (wanted.noticed !== undefined && wanted.noticed <= settled) this.wanted.delete(key);
      wanted.isNew = false;
      wanted.folded = settled;
    }
    return due;
  }

  private want(type: CountedType, folded = this.wanted.get(keyOf(type))?.folded ?? NEVER): void {
    this.wanted.set(keyOf(type), { type, isNew: true, noticed: undefined, folded });
  }

  /** @returns whether more is to be done. The failure of one type does not keep others from being folded. */
  private async foldType(type: CountedType, settled: Date): Promise<boolean> {
    try {
      return await this.counts.fold(type, settled);
    } catch (error) {
      if (isUnavailable(error)) {
        this.want(type, NEVER);
        throw error;
      }
      this.logger.error(`The ${type.objectType} of an account could not be counted`, error);
      return true;
    }
  }

  private async run(): Promise<void> {
    await this.fold();
    await this.keeper.run();
  }

  private schedule(after = INTERVAL): void {
    this.timer = setTimeout(() => {
      this.running = this.run().then(
        () => this.scheduleNext(INTERVAL),
        (error: unknown) => {
          // The outage of a database is told elsewhere.
          if (!isUnavailable(error)) this.logger.error('Records could not be counted', error);
          this.scheduleNext(PAUSE);
        },
      );
    }, after);
    this.timer.unref();
  }

  private scheduleNext(after: number): void {
    if (!this.isStopped) this.schedule(after);
  }
}

function keyOf({ accountId, objectType }: CountedType): string {
  return `${accountId} ${objectType}`;
}
