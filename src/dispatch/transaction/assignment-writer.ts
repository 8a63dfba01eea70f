import { Injectable } from '@nestjs/common';
import type { NewAssignment } from '../../assignments/index.js';
import { idOfInstant, type Transaction } from '../../database/index.js';
import type { User } from '../../directory/index.js';
import { encodeRotationState } from '../../engine/index.js';
import { ownerFields, WriteAuthors, type NewOwner } from '../../records/index.js';
import type { Decided, Decisions } from '../decision/decider.js';
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
    const assignments = decided.map((one) => {
      const { snapshot, record } = one;
      const id = ids.get(record.id) ?? '';
      const owner = newOwner(one);
      if (owner !== undefined) {
        const name = snapshot.directory.names.nameOf(owner.email);
        const by = this.authors.router(snapshot.id, id, requestIds.get(record.id));
        owners[record.id] = { fields: ownerFields(snapshot.ownerField, name, at), by };
      }
      return newAssignment(id, one, owner);
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

/** The user who gets the record; undefined where nobody does, and where it keeps its owner. */
function newOwner({ snapshot, decision }: Decided): User | undefined {
  if (!decision.assigned || decision.unchanged) return undefined;
  const owner = snapshot.directory.findUser(decision.user);
  if (owner === undefined) throw new Error('A decision names a user whom the account has not');
  return owner;
}

function newAssignment(
  id: string,
  { snapshot, record, decision }: Decided,
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
