import { Injectable } from '@nestjs/common';
import type { AccountConfiguration } from '../../configuration/index.js';
import { AssignmentsRepository, type LastTurn } from '../../assignments/index.js';
import { Database, type Transaction } from '../../database/index.js';
import { EMPTY_ROTATION_STATE, returnTurn } from '../../engine/index.js';
import type { RecordHook, RecordWrite, RecordWriteSteps, WrittenRecord } from '../../records/index.js';
import { RotationsRepository } from '../rotations/rotations.repository.js';
import type { RouterSnapshot } from '../snapshot/router-snapshot.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';
import { DispatchLocks } from '../transaction/dispatch-locks.js';

const MINUTE = 60_000;

/** A record whose owner changes by PATCH from the user who got it by a router's rotation. */
interface TakenRecord {
  readonly last: LastTurn;
  /** E-mail; null when the owner is cleared. */
  readonly newOwner: string | null;
}

/**
 * Returns a turn when somebody else gets the record soon after it was assigned. The credit of the old owner
 * rises by the turn, and the credit of the new owner falls by it (setting `reimburse_within_minutes`). This
 * happens once for each assignment.
 */
@Injectable()
export class ReturnedTurns implements RecordHook {
  constructor(
    private readonly database: Database,
    private readonly assignments: AssignmentsRepository,
    private readonly locks: DispatchLocks,
    private readonly rotations: RotationsRepository,
    private readonly snapshots: RouterSnapshots,
  ) {}

  /**
   * Takes part in an update of an owner that a turn was given for. Locks the router, then the record, as a
   * dispatch does.
   */
  async onWrite(write: RecordWrite): Promise<RecordWriteSteps | undefined> {
    const { action, client, id: objectId, changes, configuration } = write;
    if (action !== 'update' || objectId === null || configuration === null) return undefined;
    const routerIds = this.routersOf(write, configuration);
    if (routerIds.length === 0) return undefined;
    const longest = Math.max(...routerIds.map((id) => minutesOf(configuration.routers.get(id))));
    const last = await this.assignments.findLastTurn(this.database.for(client), client, {
      objectId,
      routerIds,
      since: Date.now() - longest * MINUTE,
    });
    if (last === undefined) return undefined;
    const snapshot = this.snapshots.get(client, configuration, last.routerId);
    const newOwner = changes.get(snapshot.ownerField) ?? null;
    return {
      before: (tx) => this.locks.waitForRouter(tx, client, snapshot.id),
      after: async (tx, { previous }) => {
        if (!isTaken(snapshot, { last, newOwner }, previous)) return;
        await this.returnTurn(tx, snapshot, { last, newOwner });
      },
    };
  }

  /** Returns the ids of the routers that return turns and whose owner field is among the changes. */
  private routersOf(
    { client, objectType, changes }: RecordWrite,
    configuration: AccountConfiguration,
  ): string[] {
    return [...configuration.routers.values()].flatMap((router) => {
      // Before the snapshot is made: a router that cannot be compiled must not stop updates that do not
      // concern it.
      if (router.objectType !== objectType || minutesOf(router) === 0) return [];
      const { ownerField } = this.snapshots.get(client, configuration, router.id);
      return changes.has(ownerField) ? [router.id] : [];
    });
  }

  private async returnTurn(
    tx: Transaction,
    { account, id: routerId, compiled, directory }: RouterSnapshot,
    { last, newOwner }: TakenRecord,
  ): Promise<void> {
    if (!(await this.assignments.markTurnReturned(tx, account, last.id))) return;
    const { rotationKey: key, team, user: oldOwner } = last;
    const [stored] = await this.rotations.read(tx, account, [{ routerId, key }]);
    const moved = { rotationKey: key, team, oldOwner, newOwner };
    const rotation = stored?.state ?? EMPTY_ROTATION_STATE;
    const state = returnTurn(compiled, moved, { rotation, users: directory.users });
    await this.rotations.replace(tx, account, { routerId, key, state });
  }
}

/** The setting `reimburse_within_minutes` as it is stored; 0 for never. */
function minutesOf(
  router: { readonly settings: Readonly<Record<string, unknown>> | null } | undefined,
): number {
  return Number(router?.settings?.['reimburse_within_minutes'] ?? 0);
}

/**
 * Returns whether the update takes the record from the user who got the turn, within the minutes of the
 * setting. It compares the clock of the process with that of the database. Their difference is small compared
 * with minutes.
 */
function isTaken(
  { ownerField, compiled }: RouterSnapshot,
  { last, newOwner }: TakenRecord,
  previous: WrittenRecord['previous'],
): boolean {
  const owner = previous?.fields[ownerField];
  const minutes = compiled.plan?.settings.reimburseWithinMinutes ?? 0;
  const isRecent = Date.now() - last.at.getTime() <= minutes * MINUTE;
  return owner === last.user && newOwner !== owner && isRecent;
}
