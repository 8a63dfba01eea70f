import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { AccountsRepository } from '../accounts/index.js';
import { Database, firstIdAt, RepeatedWork } from '../database/index.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { AssignmentsRepository } from './assignments.repository.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Most traces dropped by one statement, so that it does not lock many rows for long. */
const MOST_AT_ONCE = 1_000;

/**
 * Drops the traces of old assignments, once an hour. Several processes may do so at once. Each trace is
 * dropped only once.
 */
@Injectable()
export class TracePruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(TracePruner.name);
  private readonly pruning = new RepeatedWork(
    HOUR,
    () => this.prune(new Date()),
    (reason) => this.logger.error(`Traces could not be pruned: ${reason}`),
  );
  /** By account, the id below which no trace is left to drop. */
  private readonly done = new Map<string, string>();

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly assignments: AssignmentsRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'TRACE_RETENTION_DAYS'>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.TRACE_RETENTION_DAYS === undefined) return;
    this.pruning.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.pruning.stop();
  }

  /** Drops the traces of assignments older than the retention at that instant. @returns how many */
  async prune(now: Date): Promise<number> {
    const { TRACE_RETENTION_DAYS: days } = this.settings;
    if (days === undefined) return 0;
    const before = firstIdAt(new Date(now.getTime() - days * DAY));
    let dropped = 0;
    for (const { id: accountId } of await this.database.read((db) => this.accounts.list(db))) {
      if (this.pruning.isStopped()) break;
      let ids: string[];
      do {
        const from = this.done.get(accountId) ?? firstIdAt(new Date(0));
        ids = await this.assignments.dropTraces(
          this.database,
          { accountId },
          { from, before, limit: MOST_AT_ONCE },
        );
        dropped += ids.length;
        // The next statement continues from this id, also after a failure.
        this.done.set(accountId, ids.length === MOST_AT_ONCE ? (ids.at(-1) ?? before) : before);
      } while (ids.length === MOST_AT_ONCE && !this.pruning.isStopped());
    }
    return dropped;
  }
}
