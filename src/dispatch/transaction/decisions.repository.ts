import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/index.js';
import type { Directory, User } from '../../directory/index.js';
import { encodeRotationState, type Decision, type Rotation, type Trace } from '../../engine/index.js';
import { WriteAuthors } from '../../records/index.js';
import type { Decided, Decisions } from '../decision/decided.js';
import { WRITE_ASSIGNMENTS } from './dispatch.statements.js';

/** An assignment in the log. */
interface WrittenRow {
  readonly id: string;
  readonly object_id: string;
}

/** How decisions are written. */
export interface DecisionsOptions {
  readonly at: Date;
  /** Sends COMMIT directly after the write: no other statement can follow in the transaction. */
  readonly commit: boolean;
  /** The ids of the requests for which routers have run, by record. */
  readonly requestIds: ReadonlyMap<string, string | undefined>;
}

/** Writes the decisions of dispatches. */
@Injectable()
export class DecisionsRepository {
  constructor(private readonly authors: WriteAuthors) {}

  /**
   * Writes the new owners, the rotations, the assignments and what they return, with one statement.
   * @param decisions at least one, of routers that set the same owner field; no record twice
   * @returns the ids of the assignments by record
   */
  async write(
    tx: Transaction,
    decisions: Decisions,
    { at, commit, requestIds }: DecisionsOptions,
  ): Promise<ReadonlyMap<string, string>> {
    const values = this.valuesOf(decisions, { at, requestIds });
    const rows = await (commit
      ? tx.queryLast<WrittenRow>(WRITE_ASSIGNMENTS, values)
      : tx.query<WrittenRow>(WRITE_ASSIGNMENTS, values));
    return new Map(rows.map(({ id, object_id }) => [object_id, id]));
  }

  private valuesOf(
    { decided, changes }: Decisions,
    { at, requestIds }: Pick<DecisionsOptions, 'at' | 'requestIds'>,
  ): readonly unknown[] {
    const assignments = decided.map(newAssignment).map((one, n) => ({
      n,
      ...one,
      by: this.authors.router(one.router_id, requestIds.get(one.object_id)),
    }));
    const snapshot = decided[0]?.snapshot;
    return [
      snapshot?.account.accountId,
      snapshot?.objectType,
      snapshot?.ownerField,
      JSON.stringify(assignments),
      at,
      JSON.stringify(changes.rotations.map(newState)),
      assignments.map(({ object_id }) => object_id),
      changes.returned,
      changes.owed,
    ];
  }
}

/** An assignment in the JSON form that `newAssignments` of the log reads. */
interface NewAssignment extends Readonly<Record<string, unknown>> {
  readonly object_id: string;
  readonly router_id: string;
}

function newAssignment({ snapshot, record: { id, fields }, decision }: Decided): NewAssignment {
  const { id: router_id, routerVersion: router_version, ownerField, directory } = snapshot;
  const { reason, message, trace } = decision;
  const owner = newOwner(decision, directory);
  const turn = decision.assigned ? decision.turn : null;
  return {
    router_id,
    router_version,
    rule: ruleOf(trace),
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

/** Returns the user whom a decision gives the record; null for nobody and the present owner. */
function newOwner(decision: Decision, directory: Directory): User | null {
  if (!decision.assigned || decision.unchanged) return null;
  const user = directory.findUser(decision.user);
  if (user === undefined) throw new Error(`A decision names ${decision.user}, who is no user`);
  return user;
}

/** Returns the name of the rule that matched, as the trace has it; null for none. */
function ruleOf(trace: Trace): string | null {
  for (const step of trace) if (step.step === 'rules') return step.matched;
  return null;
}

/** Returns a rotation that has moved, in the JSON form that `storeRotations` reads. */
function newState({ routerId: router, key, state }: Rotation): object {
  return { router, key, state: encodeRotationState(state, key) };
}
