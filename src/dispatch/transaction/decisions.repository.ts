import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/index.js';
import type { Directory, User } from '../../directory/index.js';
import { encodeRotationState, type Decision, type Trace } from '../../engine/index.js';
import { WriteAuthors } from '../../records/index.js';
import type { Decisions } from '../decision/decided.js';
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
   * Writes the new owners, the rotations, the assignments and what they return: one statement for the routers
   * that set the same owner field, all sent together.
   * @param all of routers of one account, also of those that have decided nothing, no record twice
   * @returns the ids of the assignments by record
   */
  async write(
    tx: Transaction,
    all: readonly Decisions[],
    { at, commit, requestIds }: DecisionsOptions,
  ): Promise<ReadonlyMap<string, string>> {
    const keys = [...new Set(all.map(keyOf))];
    const written = keys.map((key, index): Promise<WrittenRow[]> => {
      const values = this.valuesOf(
        all.filter((each) => keyOf(each) === key),
        { at, requestIds },
      );
      const isLast = commit && index === keys.length - 1;
      return isLast ? tx.queryLast(WRITE_ASSIGNMENTS, values) : tx.query(WRITE_ASSIGNMENTS, values);
    });
    const rows = (await Promise.all(written)).flat();
    return new Map(rows.map(({ id, object_id }) => [object_id, id]));
  }

  /** The parameters of the statement for routers that set the same owner field. */
  private valuesOf(
    group: readonly Decisions[],
    { at, requestIds }: Pick<DecisionsOptions, 'at' | 'requestIds'>,
  ): readonly unknown[] {
    const assignments = group.flatMap(newAssignments).map((one, n) => ({
      n,
      ...one,
      by: this.authors.router(one.router_id, requestIds.get(one.object_id)),
    }));
    const taken = group.flatMap(({ takenBack = [] }) => takenBack);
    const snapshot = group[0]?.snapshot;
    return [
      snapshot?.account.accountId,
      snapshot?.objectType,
      snapshot?.ownerField,
      JSON.stringify(assignments),
      at,
      JSON.stringify(group.flatMap(newStates)),
      assignments.map(({ object_id }) => object_id),
      [...taken.map(({ assignment }) => assignment.id), ...group.flatMap(({ settled = [] }) => settled)],
      taken.filter(({ owesTurn }) => owesTurn).map(({ assignment }) => assignment.id),
    ];
  }
}

/** The same for routers that set the same owner field. */
function keyOf({ snapshot: { objectType, ownerField } }: Decisions): string {
  return `${objectType} ${ownerField}`;
}

/** An assignment in the JSON form that `newAssignments` of the log reads. */
type NewAssignment = Readonly<Record<'object_id' | 'router_id', string>>;

function newAssignments({ snapshot, decided }: Decisions): NewAssignment[] {
  const { id: router_id, routerVersion: router_version, ownerField, directory } = snapshot;
  return decided.map(({ record: { id, fields }, decision }) => {
    const { reason, message, trace } = decision;
    const owner = newOwner(decision, directory);
    const turn = decision.assigned ? decision.turn : null;
    return {
      router_id,
      router_version,
      rule: ruleOf(trace),
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
  });
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

/** Returns the rotations that have moved, in the JSON form that `storeRotations` reads. */
function newStates({ snapshot: { id: router }, rotations }: Decisions): object[] {
  return [...rotations].map(([key, state]) => ({ router, key, state: encodeRotationState(state, key) }));
}
