import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { EMPTY_ROTATION_STATE } from '../../engine/index.js';
import type { StoredRecord } from '../../records/index.js';
import type { RouterRecords } from '../decision/decided.js';
import { Decider } from '../decision/decider.js';
import { RefusedByHook } from './assignment-hooks.js';
import { AssignmentWriter } from './assignment-writer.js';
import { DispatchLoader, type Loaded } from './dispatch-loader.js';
import { refusalOf, type Left, type Outcome, type Run, type RunPlan } from './run.js';

/** Most members of the pools that a transaction decides among: half a second (ADR 4). */
const MOST_MEMBERS = 50_000;

/** How a transaction takes its locks. */
interface Locking {
  /** Waits for records that somebody else has locked. */
  readonly waits: boolean;
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
   * @returns what became of each, in the same order
   * @throws RefusedByHook where a hook refuses one of several records
   */
  async run(
    account: AccountContext,
    runs: readonly Run[],
    { waits }: Locking = { waits: false },
  ): Promise<(Outcome | Left)[]> {
    try {
      return await this.configurations.use(account, (configuration) => {
        const work = (tx: Transaction): Promise<(Outcome | Left)[] | typeof OUTDATED> =>
          this.runIn(tx, account, { runs, configuration, waits });
        return this.database.for(account).transaction(work, { eager: true });
      });
    } catch (error) {
      if (!(error instanceof RefusedByHook) || runs.length > 1) throw error;
      return [{ ok: false, error: error.refusal }];
    }
  }

  /**
   * Waits for all that the runs need, before they run as parts of a transaction. None of them waits then,
   * also where one is undone.
   */
  async lock(tx: Transaction, account: AccountContext, runs: readonly Run[]): Promise<void> {
    await this.loader.lock(tx, account, runs);
  }

  private async runIn(
    tx: Transaction,
    account: AccountContext,
    { runs, configuration, waits }: Locking & Planned,
  ): Promise<(Outcome | Left)[] | typeof OUTDATED> {
    let plan = this.loader.plan(account, configuration, runs);
    let loaded = await this.loader.load(tx, plan, waits);
    if (loaded !== undefined && loaded.version !== configuration.version) {
      // Other routers may take part, and other fields may have to be read.
      plan = this.loader.plan(account, await this.configurations.reload(tx, account), runs);
      loaded = await this.loader.load(tx, plan, waits);
    }
    if (loaded === undefined) return OUTDATED;
    const { routers, ended } = prepared(runs, plan, loaded);
    const { at } = loaded;
    const reads = { db: tx, at, until: null, mostMembers: MOST_MEMBERS };
    const decisions = await this.decider.decideAll(routers, reads);
    const requestIds = new Map(runs.map(({ objectId, requestId }) => [objectId, requestId]));
    const written = await this.writer.write(tx, decisions, { at, requestIds });
    return runs.map((run) => ended.get(run) ?? written.get(run.objectId) ?? 'later');
  }
}

/** What a transaction is to run, by a configuration that may be outdated. */
interface Planned {
  readonly runs: readonly Run[];
  readonly configuration: AccountConfiguration;
}

/** Returns what each router decides on, and the runs of which more is known than that they are for later. */
function prepared(
  runs: readonly Run[],
  { runs: taking, snapshots, refused }: RunPlan,
  { records, rotations, held, returns }: Loaded,
): { readonly routers: readonly RouterRecords[]; readonly ended: ReadonlyMap<Run, Outcome | Left> } {
  const ended = new Map<Run, Outcome | Left>();
  for (const run of runs) {
    const error = refused.get(run.routerId);
    if (error !== undefined) ended.set(run, { ok: false, error, isOfRouter: true });
  }
  const decidable = new Map([...snapshots.keys()].map((id): [string, StoredRecord[]] => [id, []]));
  const stopped = new Set<string>();
  for (const run of taking) {
    const { routerId, objectId } = run;
    const snapshot = snapshots.get(routerId);
    if (snapshot === undefined || stopped.has(routerId)) continue;
    if (held.has(objectId)) {
      ended.set(run, 'held');
      stopped.add(routerId);
      continue;
    }
    const record = records.get(objectId);
    const error = refusalOf(record, snapshot.objectType);
    if (error !== undefined) ended.set(run, { ok: false, error });
    else if (record !== undefined) decidable.get(routerId)?.push(record);
  }
  const routers = [...snapshots.values()].map((snapshot): RouterRecords => {
    const { id } = snapshot;
    const turns = returns.turns.filter(({ routerId }) => routerId === id);
    const rotation = rotations.get(id) ?? EMPTY_ROTATION_STATE;
    return { snapshot, records: decidable.get(id) ?? [], rotation, turns, held: returns.held };
  });
  return { routers, ended };
}
