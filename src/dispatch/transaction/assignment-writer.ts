import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../database/index.js';
import { encodeRotationState } from '../../engine/index.js';
import { WriteAuthors } from '../../records/index.js';
import type { Decided, Decisions } from '../decision/decider.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DecisionMetrics } from './decision-metrics.js';
import { assignedAt, dispatchResult } from './dispatch-result.js';
import { WRITE_AND_RETURN, WRITE_ASSIGNMENTS, WRITE_PAST } from './dispatch.statements.js';
import type { Outcome } from './run.js';

/** How decisions are written. */
export interface WriteOptions {
  readonly at: Date;
  /** Whether the log is to have them where it had them then. */
  readonly isPast?: boolean;
  /** The ids of the requests for which routers have run, by record. */
  readonly requestIds: ReadonlyMap<string, string | undefined>;
}

/** Writes the decisions of a transaction, between the hooks on them. */
@Injectable()
export class AssignmentWriter {
  constructor(
    private readonly authors: WriteAuthors,
    private readonly hooks: AssignmentHooks,
    private readonly metrics: DecisionMetrics,
  ) {}

  /**
   * Writes the new owners, the rotations, the assignments and what they return, with one statement. Sends
   * COMMIT with it, unless there are hooks.
   * @param decisions of routers that set the same owner field; no record twice
   * @returns the outcomes by record
   * @throws RefusedByHook
   */
  async write(
    tx: Transaction,
    decisions: Decisions,
    { at, isPast = false, requestIds }: WriteOptions,
  ): Promise<ReadonlyMap<string, Outcome>> {
    const { decided } = decisions;
    if (decided.length === 0) return new Map();
    await this.hooks.before(tx, decided);
    const values = this.valuesOf(decisions, { at, requestIds });
    const { returned, owed } = decisions.changes;
    // Most return nothing, and a part of a statement that changes no row takes a tenth of its time.
    const write: [Statement, readonly unknown[]] =
      returned.length === 0 && !isPast
        ? [WRITE_ASSIGNMENTS, values]
        : [isPast ? WRITE_PAST : WRITE_AND_RETURN, [...values, returned, owed]];
    const rows = await (this.hooks.isEmpty
      ? tx.queryLast<WrittenRow>(...write)
      : tx.query<WrittenRow>(...write));
    const ids = new Map(rows.map(({ id, object_id }) => [object_id, id]));
    await this.hooks.after(tx, { decided, ids });
    // With hooks COMMIT is still to come: what it refuses is counted all the same.
    this.metrics.note(decided);
    const when = assignedAt(at);
    return new Map(
      decided.map(({ record, decision }): [string, Outcome] => {
        const assignmentId = ids.get(record.id) ?? '';
        return [record.id, { ok: true, result: dispatchResult({ record, decision, assignmentId }, when) }];
      }),
    );
  }

  private valuesOf({ decided, changes }: Decisions, { at, requestIds }: WriteOptions): readonly unknown[] {
    const assignments = decided.map((one, n) => {
      const request = requestIds.get(one.record.id);
      return { n, ...newAssignment(one), by: this.authors.router(one.snapshot.id, request) };
    });
    const rotations = changes.rotations.map(({ routerId: router, key, state }) => ({
      router,
      key,
      state: encodeRotationState(state, key),
    }));
    const snapshot = decided[0]?.snapshot;
    return [
      snapshot?.account.accountId,
      snapshot?.objectType,
      snapshot?.ownerField,
      JSON.stringify(assignments),
      at,
      JSON.stringify(rotations),
    ];
  }
}

/** An assignment in the log. */
interface WrittenRow {
  readonly id: string;
  readonly object_id: string;
}

/** Returns an assignment in the JSON form that `newAssignments` of the log reads. */
function newAssignment({ snapshot, record: { id, fields }, decision }: Decided): object {
  const { id: router_id, routerVersion: router_version, ownerField, directory } = snapshot;
  const { reason, message, trace, rule = null } = decision;
  const turn = decision.assigned ? decision.turn : null;
  // One that leaves the record with its owner names nobody.
  const isNew = decision.assigned && !decision.unchanged;
  const owner = isNew ? directory.findUser(decision.user) : null;
  if (owner === undefined) throw new Error('A decision names a user whom the account has not');
  return {
    router_id,
    router_version,
    rule,
    step: decision.assigned ? decision.step : null,
    object_id: id,
    user_id: owner?.id ?? null,
    user: owner === null ? null : directory.names.nameOf(owner.email),
    previous_user: fields[ownerField] ?? null,
    reason,
    message,
    trace,
    rotation: turn?.rotationKey ?? null,
    team: turn?.team ?? null,
  };
}
