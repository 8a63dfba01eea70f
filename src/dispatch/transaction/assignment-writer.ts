import { Injectable } from '@nestjs/common';
import type { NewAssignment } from '../../assignments/index.js';
import { idOfInstant, type Transaction } from '../../database/index.js';
import type { User } from '../../directory/index.js';
import { encodeRotationState, type Changes } from '../../engine/index.js';
import { ownerFields, WriteAuthors, type NewOwner } from '../../records/index.js';
import type { Decided, Decisions } from '../decision/decider.js';
import { AssignmentHooks } from './assignment-hooks.js';
import { DecisionMetrics } from './decision-metrics.js';
import { assignedAt, dispatchResult, type LoggedDecision, type Outcome } from './dispatch-result.js';
import { writeOf, type NewAssignments } from './dispatch.statements.js';

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
   * Writes the new owners, the rotations, the assignments and what they return, with one statement, and with
   * COMMIT unless there are hooks. @param decisions of one owner field @throws RefusedByHook
   */
  async write(
    tx: Transaction,
    decisions: Decisions,
    { microseconds, requestIds }: WriteOptions,
  ): Promise<ReadonlyMap<string, Outcome>> {
    const { decided, changes } = decisions;
    if (decided.length === 0) return new Map();
    await this.hooks.before(tx, decided);
    const at = new Date(microseconds / 1_000);
    const logged = decided.map((one, n) => ({ ...one, assignmentId: idOfInstant(microseconds + n) }));
    const write = writeOf(this.written(logged, changes, { at, requestIds }));
    await (this.hooks.isEmpty ? tx.queryLast(...write) : tx.query(...write));
    await this.hooks.after(tx, logged);
    // With hooks COMMIT is still to come: what it refuses is counted all the same.
    this.metrics.note(decided);
    const when = assignedAt(at);
    return new Map(
      logged.map((one): [string, Outcome] => [
        one.record.id,
        { ok: true, result: dispatchResult(one, when) },
      ]),
    );
  }

  private written(
    logged: readonly LoggedDecision[],
    { rotations, returned, owed }: Changes,
    { at, requestIds }: Pick<WriteOptions, 'requestIds'> & { readonly at: Date },
  ): NewAssignments {
    const owners: Record<string, NewOwner> = {};
    const assignments = logged.map((one) => {
      const { snapshot, record, assignmentId } = one;
      const owner = newOwner(one);
      if (owner !== undefined) {
        const name = snapshot.directory.names.nameOf(owner.email);
        const by = this.authors.router(snapshot.id, assignmentId, requestIds.get(record.id));
        owners[record.id] = { fields: ownerFields(snapshot.ownerField, name, at), by };
      }
      return newAssignment(one, owner);
    });
    const moved = rotations.map(({ routerId, key, state }) => {
      return { router_id: routerId, key, state: encodeRotationState(state, key) };
    });
    const { account, objectType = '' } = logged[0]?.snapshot ?? {};
    const common = { account: account?.accountId ?? '', objectType, at };
    return { ...common, owners, rotations: moved, assignments, returned, owed };
  }
}

/** The user who gets the record; undefined where nobody does, and where it keeps its owner. */
function newOwner({ snapshot, decision }: Decided): User | undefined {
  if (!decision.assigned || decision.unchanged) return undefined;
  const owner = snapshot.directory.findUser(decision.user);
  if (owner === undefined) throw new Error('A decision names a user whom the account has not');
  return owner;
}

function newAssignment(
  { snapshot, record, decision, assignmentId: id }: LoggedDecision,
  owner: User | undefined,
): NewAssignment {
  const { reason, message, trace, rule = null } = decision;
  const turn = decision.assigned ? decision.turn : null;
  const previous = record.fields[snapshot.ownerField];
  return {
    id,
    router_id: snapshot.id,
    router_version: snapshot.routerVersion,
    rule,
    step: decision.assigned ? decision.step : null,
    object_id: record.id,
    user_id: owner?.id ?? null,
    previous_user_id: previous === undefined ? null : (snapshot.directory.idOfStored(previous) ?? null),
    reason,
    message,
    trace,
    rotation: turn?.rotationKey ?? null,
    team: turn?.team ?? null,
  };
}
