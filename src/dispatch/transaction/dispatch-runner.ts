import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { Decider } from '../decision/decider.js';
import { RefusedByHook } from './assignment-hooks.js';
import { AssignmentWriter } from './assignment-writer.js';
import { DispatchLoader, type Planned } from './dispatch-loader.js';
import { DISPATCH_SETTINGS } from './dispatch.statements.js';
import type { Left, Outcome, Run } from './dispatch-result.js';

/** Most members of the pools that a transaction decides among: half a second (ADR 4). */
const MOST_MEMBERS = 50_000;

/** How runs are run. */
interface How extends Pick<Planned, 'waits'> {
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
   * another transaction only where somebody else has locked its record. Runs of a router keep their order.
   * @param runs with well-formed ids, no record twice @param past no later than the account's own decisions
   * @returns what became of each @throws RefusedByHook where a hook refuses one of several records
   */
  async run(
    account: AccountContext,
    runs: readonly Run[],
    { past, ...how }: How = {},
  ): Promise<(Outcome | Left)[]> {
    try {
      return await this.configurations.use(account, (configuration) =>
        this.database
          .for(account)
          .transaction((tx) => this.runIn(tx, { account, configuration, runs, ...how }, past), {
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
    planned: Planned,
    past: Date | undefined,
  ): Promise<(Outcome | Left)[] | typeof OUTDATED> {
    const { account, runs } = planned;
    let loaded = await this.loader.load(tx, planned);
    if (loaded !== undefined && loaded.version !== planned.configuration.version) {
      // Other routers may take part, and other fields may have to be read.
      const configuration = await this.configurations.reload(tx, account);
      loaded = await this.loader.load(tx, { ...planned, configuration });
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
