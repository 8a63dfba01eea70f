import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { Database, type Queryable, type Transaction } from '../../database/index.js';
import type { FieldChanges, ObjectType } from '../../fields/index.js';
import type { RouterEntity } from '../../routers/index.js';
import { RouterSnapshots } from '../snapshot/router-snapshots.js';
import { DispatchRepository } from '../transaction/dispatch.repository.js';
import {
  decodeRotationState,
  encodeRotationState,
  returnTurn,
  type CompiledRouter,
} from '../../engine/index.js';
import { ReturnedTurnsRepository, type LastTurn } from './returned-turns.repository.js';

const MINUTE = 60_000;

/** A record whose owner somebody changes by hand. */
export interface OwnerChange {
  readonly objectType: ObjectType;
  readonly objectId: string;
  readonly changes: FieldChanges;
}

/**
 * Makes up for a turn when somebody else gets the record soon after it was assigned: the old owner is owed a turn again,
 * the new one is charged for it (setting `reimburse_within_minutes`). Once for each assignment.
 */
@Injectable()
export class ReturnedTurns {
  constructor(
    private readonly database: Database,
    private readonly reimbursements: ReturnedTurnsRepository,
    private readonly dispatches: DispatchRepository,
    private readonly routers: RouterSnapshots,
  ) {}

  /**
   * Runs an update of a record; where it takes the record from somebody to whom a rotation gave it, the rotation is
   * adjusted in the same transaction. Locks in the order of a dispatch: the router, then the record.
   * @param update undefined means that nothing was updated
   */
  async around<T>(
    account: AccountContext,
    configuration: AccountConfiguration,
    change: OwnerChange,
    update: (db: Queryable) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const routers = this.concerned(configuration, change);
    if (routers.length === 0) return update(this.database);
    const last = await this.reimbursements.findLastTurn(this.database, account, change.objectId, routers);
    const router = last === undefined ? undefined : configuration.routers.get(last.router_id);
    if (last === undefined || router === undefined) return update(this.database);
    return this.database.transaction(async (tx) => {
      await this.dispatches.lockRouter(tx, account, router.id);
      const { plan } = this.routers.get(configuration, router);
      const ownerField = plan?.settings.ownerField ?? '';
      const owner = await this.reimbursements.lockOwner(
        tx,
        account,
        change.objectType,
        change.objectId,
        ownerField,
      );
      const updated = await update(tx);
      const takenFrom = owner === last.user_email && change.changes.get(ownerField) !== owner;
      if (updated !== undefined && change.changes.has(ownerField) && takenFrom) {
        await this.makeUp(tx, account, configuration, router, last, change.changes.get(ownerField) ?? null);
      }
      return updated;
    });
  }

  /** Ids of the routers that make up for turns and whose owner field is among the changes. */
  private concerned(configuration: AccountConfiguration, { objectType, changes }: OwnerChange): string[] {
    return [...configuration.routers.values()].flatMap((router) => {
      if (router.objectType !== objectType) return [];
      const settings = this.routers.get(configuration, router).plan?.settings;
      if (settings === undefined || settings.reimburseWithinMinutes === 0) return [];
      return changes.has(settings.ownerField) ? [router.id] : [];
    });
  }

  private async makeUp(
    tx: Transaction,
    account: AccountContext,
    configuration: AccountConfiguration,
    router: RouterEntity,
    last: LastTurn,
    newOwner: string | null,
  ): Promise<void> {
    const compiled = this.routers.get(configuration, router);
    if (!isRecent(compiled, last) || !(await this.reimbursements.spendTurn(tx, account, last.id))) return;
    const { scope: rotationKey, team } = last.turn;
    const stored = await this.dispatches.loadRotations(tx, account, router.id, [rotationKey]);
    const rotation = decodeRotationState(stored.get(rotationKey), rotationKey);
    const moved = { rotationKey, team, oldOwner: last.user_email, newOwner };
    const after = returnTurn(compiled, moved, { rotation, users: configuration.directory.users });
    const state = encodeRotationState(after, rotationKey);
    await this.reimbursements.moveRotation(tx, account, router.id, rotationKey, state);
  }
}

/** Measured on this process's clock: minutes, so the difference between two clocks does not matter. */
function isRecent({ plan }: CompiledRouter, { created_at }: LastTurn): boolean {
  const minutes = plan?.settings.reimburseWithinMinutes ?? 0;
  return Date.now() - created_at.getTime() <= minutes * MINUTE;
}
