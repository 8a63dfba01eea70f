import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { Decider } from '../decision/decider.js';
import { RefusedByHook } from './assignment-hooks.js';
import { AssignmentWriter } from './assignment-writer.js';
import { DispatchLoader } from './dispatch-loader.js';
import { DISPATCH_SETTINGS } from './dispatch.statements.js';
import type { Left, Outcome, Run } from './run.js';

/** Most members of the pools that a transaction decides among: half a second (ADR 4). */
const MOST_MEMBERS = 50_000;

/** What a transaction is to run, by a configuration that may be outdated. */
interface Planned {
  readonly runs: readonly Run[];
  readonly configuration: AccountConfiguration;
  /** Waits for records that somebody else has locked. */
  readonly waits?: boolean;
  /** The instant of the decisions where it is over; default: the database's clock. */
  readonly past?: Date;
}

/**
 * Runs routers of one account on records in one transaction, under the account's lock. Statements that do not
 * need earlier answers are sent together: the locks with the reads under them, and the writes with COMMIT.
 */
@Injectable()
export class DispatchRunner {
  constructor(
    private readonly database: Database,
    private readonly loader: DispatchLoader,
    private readonly configurations: ConfigurationCache,
    private readonly decider: Decider,
    private readonly writer: AssignmentWriter,
  ) {}

  /**
   * Decides on the records, those of one router after the other, and commits once. The first run is left for
   * another transaction only where somebody else has locked its record. The runs of a router keep their
   * order.
   * @param runs with well-formed ids, no record twice
   * @param how.past no later than the account's own decisions
   * @returns what became of each, in the same order
   * @throws RefusedByHook where a hook refuses one of several records
   */
  async run(
    account: AccountContext,
    runs: readonly Run[],
    how: Pick<Planned, 'waits' | 'past'> = {},
  ): Promise<(Outcome | Left)[]> {
    try {
      return await this.configurations.use(account, (configuration) =>
        this.database
          .for(account)
          .transaction((tx) => this.runIn(tx, account, { runs, configuration, ...how }), {
            eager: true,
            settings: DISPATCH_SETTINGS,
          }),
      );
    } catch (error) {
      if (!(error instanceof RefusedByHook) || runs.length > 1) throw error;
      return [{ ok: false, error: error.refusal }];
    }
  }

  /** Waits for all that runs in the transaction of the account need, so that none of them waits later. */
  lock(account: AccountContext, runs: readonly Run[]): Promise<void> {
    const lock = (tx: Transaction): Promise<void> => this.loader.lock(tx, account, runs);
    return this.database.for(account).transaction(lock, { settings: DISPATCH_SETTINGS });
  }

  private async runIn(
    tx: Transaction,
    account: AccountContext,
    { runs, configuration, waits = false, past }: Planned,
  ): Promise<(Outcome | Left)[] | typeof OUTDATED> {
    let loaded = await this.loader.load(tx, this.loader.plan(account, configuration, runs), waits);
    if (loaded !== undefined && loaded.version !== configuration.version) {
      // Other routers may take part, and other fields may have to be read.
      const current = await this.configurations.reload(tx, account);
      loaded = await this.loader.load(tx, this.loader.plan(account, current, runs), waits);
    }
    if (loaded === undefined) return OUTDATED;
    const { routers, ended } = loaded;
    const microseconds = past === undefined ? loaded.microseconds : past.getTime() * 1_000;
    const at = new Date(microseconds / 1_000);
    const reads = { db: tx, at, until: null, mostMembers: MOST_MEMBERS };
    const decisions = await this.decider.decide(await this.decider.read(routers, reads));
    const requestIds = new Map(runs.map(({ objectId, requestId }) => [objectId, requestId]));
    const written = await this.writer.write(tx, decisions, { microseconds, requestIds });
    return runs.map((run) => ended.get(run) ?? written.get(run.objectId) ?? 'later');
  }
}
