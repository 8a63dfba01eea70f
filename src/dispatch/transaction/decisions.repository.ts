import { Injectable } from '@nestjs/common';
import { LogGrowth } from '../../assignments/index.js';
import type { Transaction } from '../../database/index.js';
import { encodeRotationState } from '../../engine/index.js';
import { WriteAuthors } from '../../records/index.js';
import type { Decisions, TakenBack } from '../decision/decided.js';
import * as statements from './dispatch.statements.js';

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
  constructor(
    private readonly growth: LogGrowth,
    private readonly authors: WriteAuthors,
  ) {}

  /**
   * Writes the new owners, the rotations, the assignments and what they take back in one statement.
   * @param decisions of routers of one account that set the same owner field, no record twice
   * @returns the ids of the assignments by record
   */
  async write(
    tx: Transaction,
    decisions: readonly Decisions[],
    { at, commit, requestIds }: DecisionsOptions,
  ): Promise<ReadonlyMap<string, string>> {
    const [first] = decisions;
    if (first === undefined) return new Map();
    const { account, objectType, ownerField } = first.snapshot;
    const { accountId } = account;
    const assignments = decisions
      .flatMap(newAssignments)
      .map((one, n) => ({ n, ...one, by: this.authors.router(one.router, requestIds.get(one.object_id)) }));
    const objectIds = assignments.map(({ object_id }) => object_id);
    const taken = decisions.flatMap(({ takenBack = [] }) => takenBack);
    const settled = decisions.flatMap((each) => each.settled ?? []);
    const returns = taken.length > 0 || settled.length > 0;
    const statement = returns ? statements.WRITE_WITH_RETURNS : statements.WRITE_ASSIGNMENTS;
    const values = [
      accountId,
      objectType,
      ownerField,
      JSON.stringify(assignments),
      at,
      JSON.stringify(decisions.flatMap(newStates)),
      objectIds,
      ...(returns ? [JSON.stringify(taken.map(returnedRow)), settled, leastOf(taken)] : []),
    ];
    const rows = commit
      ? await tx.queryLast<WrittenRow>(statement, values)
      : await tx.query<WrittenRow>(statement, values);
    this.growth.note(accountId, rows.length);
    return new Map(rows.map(({ id, object_id }) => [object_id, id]));
  }
}

/** An assignment in the JSON form that `newAssignments` of the log reads. */
type NewAssignment = Readonly<Record<'object_id' | 'router', string>>;

function newAssignments({ snapshot, decided }: Decisions): NewAssignment[] {
  const { id: router, routerVersion: router_version, ownerField, directory } = snapshot;
  return decided.map(({ record: { id, fields }, decision }) => {
    const { reason, message, trace } = decision;
    const user = decision.assigned && !decision.unchanged ? directory.names.nameOf(decision.user) : null;
    const given = decision.assigned ? decision.turn : null;
    const turn = given === null ? null : { scope: given.rotationKey, team: given.team };
    const previous_user = fields[ownerField] ?? null;
    return { router, router_version, object_id: id, user, previous_user, reason, message, trace, turn };
  });
}

/** Returns the least id of assignments that are taken back; null where there are none. */
function leastOf(taken: readonly TakenBack[]): string | null {
  return taken.map(({ assignment }) => assignment.id).sort()[0] ?? null;
}

/** Returns an assignment that is taken back, in the JSON form that `takenBack` reads. */
function returnedRow({ assignment, owesTurn }: TakenBack): object {
  const { id, user, at: assigned_at, routerId: router, rotationKey, team } = assignment;
  return { id, user, assigned_at, router, rotation_key: owesTurn ? rotationKey : null, team };
}

/** Returns the rotations that have moved, in the JSON form that `storeRotations` reads. */
function newStates({ snapshot: { id: router }, rotations }: Decisions): object[] {
  return [...rotations].map(([key, state]) => ({ router, key, state: encodeRotationState(state, key) }));
}
