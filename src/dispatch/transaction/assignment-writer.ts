import { Injectable } from '@nestjs/common';
import type { NewAssignment } from '../../assignments/index.js';
import { idOfInstant, type Transaction } from '../../database/index.js';
import { encodeRotationState } from '../../engine/index.js';
import { ownerFields, WriteAuthors, type NewOwner } from '../../records/index.js';
import type { Decisions } from '../decision/decider.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DecisionMetrics } from './decision-metrics.js';
import { assignedAt, dispatchResult } from './dispatch-result.js';
import { writeOf, type NewAssignments } from './dispatch.statements.js';
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
    const write = writeOf(this.written(decisions, { at, ids, requestIds }));
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

  private written({ decided, changes }: Decisions, { at, ids, requestIds }: Written): NewAssignments {
    const owners: Record<string, NewOwner> = {};
    const assignments = decided.map(({ snapshot, record, decision }): NewAssignment => {
      const id = ids.get(record.id) ?? '';
      const { reason, message, trace, rule = null } = decision;
      const { ownerField, directory } = snapshot;
      const turn = decision.assigned ? decision.turn : null;
      // One that leaves the record with its owner names nobody.
      const isNew = decision.assigned && !decision.unchanged;
      const owner = isNew ? directory.findUser(decision.user) : null;
      if (owner === undefined) throw new Error('A decision names a user whom the account has not');
      if (owner !== null) {
        const fields = ownerFields(ownerField, directory.names.nameOf(owner.email), at);
        owners[record.id] = { fields, by: this.authors.router(snapshot.id, id, requestIds.get(record.id)) };
      }
      const previous = record.fields[ownerField];
      return {
        id,
        router_id: snapshot.id,
        router_version: snapshot.routerVersion,
        rule,
        step: decision.assigned ? decision.step : null,
        object_id: record.id,
        user_id: owner?.id ?? null,
        previous_user_id: previous === undefined ? null : (directory.idOfStored(previous) ?? null),
        reason,
        message,
        trace,
        rotation: turn?.rotationKey ?? null,
        team: turn?.team ?? null,
      };
    });
    const rotations = changes.rotations.map(({ routerId, key, state }) => ({
      router_id: routerId,
      key,
      state: encodeRotationState(state, key),
    }));
    const [first] = decided;
    const account = first?.snapshot.account.accountId ?? '';
    const objectType = first?.snapshot.objectType ?? '';
    const { returned, owed } = changes;
    return { account, objectType, at, owners, rotations, assignments, returned, owed };
  }
}

/** What the rows of a transaction have in common, and the ids of its assignments by record. */
interface Written extends Pick<WriteOptions, 'requestIds'> {
  readonly at: Date;
  readonly ids: ReadonlyMap<string, string>;
}
