import { Injectable } from '@nestjs/common';
import { MoreThanOrEqual } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import type { Queryable, Transaction } from '../database/index.js';
import { CapacityEntity } from './capacity.entity.js';

/** The properties of a capacity that the configuration sets, except its name. */
export type CapacityValues = Pick<CapacityEntity, 'objectType' | 'field' | 'values' | 'users' | 'teams'>;

/** Reads and writes the capacities of accounts. */
@Injectable()
export class CapacitiesRepository {
  /** Returns every capacity of the account, ordered by name. */
  list(db: Queryable, { accountId }: AccountContext): Promise<CapacityEntity[]> {
    return db.repository(CapacityEntity).find({ where: { accountId }, order: { name: 'ASC' } });
  }

  /** As `list`. @param known is returned where no capacity has changed since */
  async relist(
    db: Queryable,
    account: AccountContext,
    known: KnownPart<readonly CapacityEntity[]> | undefined,
  ): Promise<readonly CapacityEntity[]> {
    if (known === undefined) return this.list(db, account);
    const changed = { accountId: account.accountId, changedIn: MoreThanOrEqual(known.version) };
    const isChanged = await db.repository(CapacityEntity).existsBy(changed);
    return isChanged ? this.list(db, account) : known.part;
  }

  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    values: CapacityValues & Pick<CapacityEntity, 'id' | 'name'>,
  ): Promise<void> {
    await tx.repository(CapacityEntity).insert({ accountId, ...values });
  }

  async update(
    tx: Transaction,
    { accountId }: AccountContext,
    { id, ...values }: CapacityValues & Pick<CapacityEntity, 'id'>,
  ): Promise<void> {
    await tx.repository(CapacityEntity).update({ accountId, id }, values);
  }
}
