import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { EMPTY_ROTATION_STATE } from '../../engine/index.js';
import type { RouterRecords } from '../decision/decided.js';
import { Decider } from '../decision/decider.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';
import { RefusedByHook } from './assignment-hooks.js';
import { AssignmentWriter } from './assignment-writer.js';
import { DispatchLoader, type Locking } from './dispatch-loader.js';
import { planOf, type DispatchPlan } from './dispatch-plan.js';
import { requestIdsOf, type RouterRuns, type RunsResult } from './router-runs.js';
import { recordsOf, resultOf, servedRuns, type ServedRuns } from './served-runs.js';

/**
 * Runs routers of one account on records, one after the other, in one transaction under the routers' locks.
 * Statements that do not need earlier answers are sent together: the locks with the reads under them, and the
 * writes with COMMIT.
 */
@Injectable()
export class DispatchRunner {
  constructor(
    private readonly database: Database,
    private readonly loader: DispatchLoader,
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: RouterSnapshots,
    private readonly decider: Decider,
    private readonly writer: AssignmentWriter,
  ) {}

  /**
   * Decides on the records of each router in the order given, and commits once. Some may be left for another
   * transaction: those of routers that do not share counts with the first one, those behind records that are
   * too large together, and, unless it waits, those that somebody else has locked.
   * @param runs of different routers, with well-formed ids, no record twice; of one router where it waits
   * @returns what became of the runs of each router, in the same order
   * @throws DomainError 404 for an unknown or archived router that is the only one; RefusedByHook where a
   *   hook refuses one of several records
   */
  async run(
    account: AccountContext,
    runs: readonly RouterRuns[],
    locking: Locking = { waits: false },
  ): Promise<RunsResult[]> {
    try {
      return await this.configurations.use(account, (configuration) => {
        const plan = planOf(this.snapshots, { account, configuration }, runs);
        const work = (tx: Transaction): Promise<RunsResult[] | typeof OUTDATED> =>
          this.runIn(tx, plan, { ...locking, asked: runs });
        return this.database.for(account).transaction(work, { eager: true });
      });
    } catch (error) {
      const isLone = runs.length === 1 && runs[0]?.objectIds.length === 1;
      if (!(error instanceof RefusedByHook) || !isLone) throw error;
      return [{ outcomes: [{ ok: false, error: error.refusal }], alone: false }];
    }
  }

  private async runIn(
    tx: Transaction,
    planned: DispatchPlan,
    { asked, ...locking }: Locking & { readonly asked: readonly RouterRuns[] },
  ): Promise<RunsResult[] | typeof OUTDATED> {
    let plan = planned;
    let loaded = await this.loader.load(tx, plan, locking);
    if (loaded !== undefined && loaded.rows.version !== plan.version) {
      const { account } = plan;
      const configuration = await this.configurations.reload(tx, account);
      plan = planOf(this.snapshots, { account, configuration }, asked);
      // Other routers may take part, and other fields may have to be read.
      loaded = await this.loader.load(tx, plan, locking);
    }
    if (loaded === undefined) return OUTDATED;
    const { rotations, at } = loaded.rows;
    const { held, turns: owed } = loaded.returns;
    const served: ServedRuns[] = [];
    const routers: RouterRecords[] = [];
    for (const runs of asked) {
      const each = servedRuns(runs, plan, loaded);
      served.push(each);
      if (each.snapshot === undefined) continue;
      const rotation = rotations.get(runs.routerId) ?? EMPTY_ROTATION_STATE;
      const turns = owed.filter(({ routerId }) => routerId === runs.routerId);
      routers.push({ snapshot: each.snapshot, records: recordsOf(each), rotation, turns, held });
    }
    const lockUsers = (emails: readonly string[]): Promise<void> => this.loader.lockUsers(tx, plan, emails);
    const decisions = await this.decider.decideAll(routers, { db: tx, at, until: null, lockUsers });
    const written = await this.writer.write(tx, decisions, { at, requestIds: requestIdsOf(asked) });
    return served.map((each) => resultOf(each, written));
  }
}
