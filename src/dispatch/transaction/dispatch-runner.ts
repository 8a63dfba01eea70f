import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import { ConfigurationCache, OUTDATED } from '../../configuration/index.js';
import { Database, type Transaction } from '../../database/index.js';
import type { StoredRecord } from '../../records/index.js';
import { Decider, type Decisions } from '../decision/decider.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';
import { AssignmentHooks, RefusedByHook } from './assignment-hooks.js';
import { assignedAt, assignedResult, notAssignedResult } from './dispatch-result.js';
import { DispatchRepository } from './dispatch.repository.js';
import { requireDispatchable } from './dispatchable.js';
import { attempt, type Outcome } from './outcome.js';

/** A record that can be decided on, or the reason why it cannot. */
type Candidate = { objectId: string } & ({ record: StoredRecord } | { outcome: Outcome });

/**
 * Runs one router on records, one after the other, in one transaction under the router's lock. Statements
 * that do not need earlier answers are sent together: the locks with the reads under them, and the writes
 * with COMMIT.
 */
@Injectable()
export class DispatchRunner {
  constructor(
    private readonly database: Database,
    private readonly dispatches: DispatchRepository,
    private readonly configurations: ConfigurationCache,
    private readonly snapshots: RouterSnapshots,
    private readonly decider: Decider,
    private readonly hooks: AssignmentHooks,
  ) {}

  /**
   * Decides on each record in the order given, and commits once. Where the records are too large together, it
   * does so for the first of them only, at least one.
   * @param objectIds well-formed, without duplicates
   * @returns an outcome for each of these, in the same order
   * @throws DomainError 404 for an unknown or archived router; RefusedByHook where a hook refuses one of
   *   several
   */
  async run(account: AccountContext, routerId: string, objectIds: readonly string[]): Promise<Outcome[]> {
    try {
      return await this.configurations.use(account, (configuration) => {
        const snapshot = this.snapshots.get(account, configuration, routerId);
        const work = (tx: Transaction): Promise<Outcome[] | typeof OUTDATED> =>
          this.runIn(tx, snapshot, objectIds);
        return this.database.for(account).transaction(work, { eager: true, identified: true });
      });
    } catch (error) {
      if (!(error instanceof RefusedByHook) || objectIds.length > 1) throw error;
      return [{ ok: false, error: error.refusal }];
    }
  }

  private async runIn(
    tx: Transaction,
    snapshot: RouterSnapshot,
    objectIds: readonly string[],
  ): Promise<Outcome[] | typeof OUTDATED> {
    const { account, id: routerId } = snapshot;
    const unread = this.hooks.isEmpty ? snapshot.unread : [];
    const keys = { routerId, objectIds, unread };
    const [, read] = await Promise.all([
      this.dispatches.lockRouter(tx, account, routerId),
      this.dispatches.readAndLock(tx, account, keys),
    ]);
    let rows = read;
    if (rows === undefined) return OUTDATED;
    if (rows.version !== snapshot.version) {
      const configuration = await this.configurations.reload(tx, account);
      snapshot = this.snapshots.get(account, configuration, routerId);
      // The new configuration may read a field that was left out.
      if (unread.length > 0) rows = await this.dispatches.readAndLock(tx, account, { ...keys, unread: [] });
      if (rows === undefined) return OUTDATED;
    }
    const { objectType } = snapshot;
    const candidates = rows.objectIds.map((objectId): Candidate => {
      const checked = attempt(() => requireDispatchable(rows.records.get(objectId), objectType));
      return checked.ok ? { objectId, record: checked.value } : { objectId, outcome: checked };
    });
    const records = candidates.flatMap((candidate) => ('record' in candidate ? [candidate.record] : []));
    const { rotation, at } = rows;
    const lockUsers = (emails: readonly string[]): Promise<void> =>
      this.dispatches.lockUsers(tx, account, emails);
    const decisions = await this.decider.decideAll(snapshot, records, {
      db: tx,
      rotation,
      at,
      until: null,
      lockUsers,
    });
    const results = await this.write(tx, snapshot, { ...decisions, at });
    return candidates.map((candidate) =>
      'outcome' in candidate ? candidate.outcome : resultOf(results, candidate.objectId),
    );
  }

  private async write(
    tx: Transaction,
    snapshot: RouterSnapshot,
    decisions: Decisions & { readonly at: Date },
  ): Promise<ReadonlyMap<string, Outcome>> {
    const { decided } = decisions;
    if (decided.length === 0) return new Map();
    const when = assignedAt(decisions.at);
    const commit = this.hooks.isEmpty;
    if (!commit) await this.hooks.before(tx, snapshot, decided);
    const ids = await this.dispatches.write(tx, snapshot, { ...decisions, commit });
    if (!commit) await this.hooks.after(tx, snapshot, { decided, ids });
    return new Map(
      decided.map(({ record, decision }): [string, Outcome] => {
        const result = decision.assigned
          ? assignedResult(decision, when, ids.get(record.id) ?? '')
          : notAssignedResult(decision);
        return [record.id, { ok: true, result }];
      }),
    );
  }
}

function resultOf(results: ReadonlyMap<string, Outcome>, objectId: string): Outcome {
  const result = results.get(objectId);
  if (result === undefined) throw new Error('A record was decided on but has no result');
  return result;
}
