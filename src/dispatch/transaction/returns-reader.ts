import { Injectable } from '@nestjs/common';
import {
  ReturnedAssignmentsRepository,
  type LastAssignment,
  type TurnToReturn,
} from '../../assignments/index.js';
import type { Queryable } from '../../database/index.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import type { RunPlan } from './run.js';

/** What dispatches read of assignments that were taken back, or may be. */
export interface Returns {
  /** The first of the turns that the routers have to take over, in order. */
  readonly turns: readonly TurnToReturn[];
  /** The assignments by which users hold the records, by record. */
  readonly held: ReadonlyMap<string, LastAssignment>;
}

/** Most returned turns that one transaction takes over. The next one takes the others. */
const MOST_TURNS = 1_000;

/** Most members of their pools, added up: a turn that is returned changes the credits of all. */
const MOST_MEMBERS_OF_TURNS = 50_000;

/** Reads what is taken back, where routers return turns. Otherwise it sends no statement. */
@Injectable()
export class ReturnsReader {
  constructor(private readonly returned: ReturnedAssignmentsRepository) {}

  /** Reads under the locks of account and records: the statements that take them are sent before. */
  async read(
    db: Queryable,
    { account, snapshots, runs }: Pick<RunPlan, 'account' | 'snapshots' | 'runs'>,
  ): Promise<Returns> {
    const all = [...snapshots.values()];
    const turning = all.filter(({ id, returning }) => returning.has(id));
    // They set the same owner field, so any of them may take what another one gave.
    const minutes = all[0]?.returning;
    const objectIds = runs.flatMap((run) => (mayReplace(snapshots.get(run.routerId)) ? [run.objectId] : []));
    const [turns, held] = await Promise.all([
      turning.length === 0 ? [] : this.returned.readTurns(db, account, turnsOf(turning)),
      minutes === undefined || minutes.size === 0 || objectIds.length === 0
        ? new Map<string, LastAssignment>()
        : this.returned.findLast(db, account, { objectIds, minutes }),
    ]);
    return { turns, held };
  }
}

/** Which turns are taken over: as many as take less than a tenth of a second, and one at least. */
function turnsOf(turning: readonly RouterSnapshot[]): {
  readonly routerIds: string[];
  readonly most: number;
} {
  const members = turning.reduce((most, { compiled }) => Math.max(most, compiled.plan?.mostMembers ?? 0), 1);
  const most = Math.min(MOST_TURNS, Math.max(1, Math.floor(MOST_MEMBERS_OF_TURNS / members)));
  return { routerIds: turning.map(({ id }) => id), most };
}

/** Names one router for a simulation, which takes no record from anybody. */
export function alone(snapshot: RouterSnapshot): Pick<RunPlan, 'account' | 'snapshots' | 'runs'> {
  return { account: snapshot.account, snapshots: new Map([[snapshot.id, snapshot]]), runs: [] };
}

/** Whether a router may take a record from its owner. */
function mayReplace(snapshot: RouterSnapshot | undefined): boolean {
  const settings = snapshot?.compiled.plan?.settings;
  return settings?.overwrite === true || settings?.overwriteIfUnavailable === true;
}
