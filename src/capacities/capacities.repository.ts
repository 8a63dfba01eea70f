import { Injectable } from '@nestjs/common';
import { IsNull, MoreThanOrEqual } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import {
  pageById,
  type IdRange,
  type EntityReader,
  type RowPage,
  type Transaction,
} from '../database/index.js';
import { CapacityEntity } from './capacity.entity.js';

/** The properties of a capacity that the configuration sets, except its name. */
export type CapacityValues = Pick<CapacityEntity, 'objectType' | 'field' | 'values' | 'users' | 'teams'>;

/** Reads and writes the capacities of accounts. */
@Injectable()
export class CapacitiesRepository {
  /** Returns every capacity of the account that is not archived, ordered by name. */
  list(db: EntityReader, { accountId }: AccountContext): Promise<CapacityEntity[]> {
    return db
      .repository(CapacityEntity)
      .find({ where: { accountId, archivedAt: IsNull() }, order: { name: 'ASC' } });
  }

  /** A capacity, archived or not. */
  find(db: EntityReader, { accountId }: AccountContext, id: string): Promise<CapacityEntity | null> {
    return db.repository(CapacityEntity).findOneBy({ accountId, id });
  }

  /** One page of capacities in creation order. */
  page(
    db: EntityReader,
    { accountId }: AccountContext,
    { archived, ...range }: IdRange & { readonly archived: boolean },
  ): Promise<RowPage<CapacityEntity>> {
    const where = { accountId, ...(archived ? {} : { archivedAt: IsNull() }) };
    return pageById(db.repository(CapacityEntity), where, range);
  }

  /** As `list`. @param known is returned where no capacity has changed since */
  async relist(
    db: EntityReader,
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
    {
      id,
      ...values
    }: Partial<CapacityValues & Pick<CapacityEntity, 'name' | 'archivedAt'>> & Pick<CapacityEntity, 'id'>,
  ): Promise<void> {
    await tx.repository(CapacityEntity).update({ accountId, id }, values);
  }
}
