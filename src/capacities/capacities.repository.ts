import { Injectable } from '@nestjs/common';
import { IsNull, MoreThanOrEqual } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import type { EntityReader } from '../database/index.js';
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
}
