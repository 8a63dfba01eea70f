import { Injectable } from '@nestjs/common';
import { idOfInstant, type Statement, type Transaction } from '../../database/index.js';
import { encodeRotationState } from '../../engine/index.js';
import { WriteAuthors } from '../../records/index.js';
import type { Decided, Decisions } from '../decision/decider.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DecisionMetrics } from './decision-metrics.js';
import { assignedAt, dispatchResult } from './dispatch-result.js';
import { WRITE_AND_RETURN, WRITE_ASSIGNMENTS } from './dispatch.statements.js';
import type { Outcome } from './run.js';

/** How decisions are written. */
export interface WriteOptions {
  /** Microseconds since 1970, of which the log has them. */
  readonly microseconds: number;
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
    { microseconds, requestIds }: WriteOptions,
  ): Promise<ReadonlyMap<string, Outcome>> {
    const { decided } = decisions;
    if (decided.length === 0) return new Map();
    await this.hooks.before(tx, decided);
    const at = new Date(microseconds / 1_000);
    const ids = new Map(decided.map(({ record }, n) => [record.id, idOfInstant(microseconds + n)]));
    const values = this.valuesOf(decisions, { at, ids, requestIds });
    const { returned, owed } = decisions.changes;
    // Most return nothing, and a part of a statement that changes no row takes a tenth of its time.
    const write: [Statement, readonly unknown[]] =
      returned.length === 0 ? [WRITE_ASSIGNMENTS, values] : [WRITE_AND_RETURN, [...values, returned, owed]];
    await (this.hooks.isEmpty ? tx.queryLast(...write) : tx.query(...write));
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

  private valuesOf({ decided, changes }: Decisions, { at, ids, requestIds }: Written): readonly unknown[] {
    const assignments = decided.map((one) => {
      const { id } = one.record;
      const by = this.authors.router(one.snapshot.id, requestIds.get(id));
      return { id: ids.get(id), ...newAssignment(one), by };
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

/** What the rows of a transaction have in common, and the ids of its assignments by record. */
interface Written extends Pick<WriteOptions, 'requestIds'> {
  readonly at: Date;
  readonly ids: ReadonlyMap<string, string>;
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
