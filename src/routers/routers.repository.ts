import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import type { AccountContext } from '../accounts/index.js';
import { newId, type Queryable, type Transaction } from '../database/index.js';
import type { PageRequest } from '../http/index.js';
import { RouterEntity } from './router.entity.js';

/** The properties of a router that can change. */
export type RouterValues = Partial<Pick<RouterEntity, 'published' | 'settings' | 'users' | 'teams'>>;

/** Reads and writes the routers of accounts. */
@Injectable()
export class RoutersRepository {
  /**
   * Returns one page of routers in creation order, the count of all that match, and whether more follow.
   * @param page `behind`: id of the router behind which the page starts; without it, it starts at the offset
   */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    { limit, offset, archived, behind }: PageRequest & { readonly behind: string | undefined },
  ): Promise<{ routers: RouterEntity[]; count: number; more: boolean }> {
    const all = { accountId, ...(archived ? {} : { archivedAt: IsNull() }) };
    const repository = db.repository(RouterEntity);
    const found = await repository.find({
      where: { ...all, ...(behind === undefined ? {} : { id: MoreThan(behind) }) },
      order: { id: 'ASC' },
      take: limit + 1,
      skip: offset,
    });
    const count = await repository.countBy(all);
    return { routers: found.slice(0, limit), count, more: found.length > limit };
  }

  /** Returns a router, archived or not. */
  find(db: Queryable, { accountId }: AccountContext, id: string): Promise<RouterEntity | null> {
    return db.repository(RouterEntity).findOneBy({ accountId, id });
  }

  /** Returns every router that is not archived, in creation order. */
  listActive(db: Queryable, { accountId }: AccountContext): Promise<RouterEntity[]> {
    return db.repository(RouterEntity).find({
      where: { accountId, archivedAt: IsNull() },
      order: { id: 'ASC' },
    });
  }

  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    values: RouterValues & Pick<RouterEntity, 'name' | 'objectType'>,
  ): Promise<void> {
    // TypeORM's insert type cannot express free-form JSON.
    await tx.repository(RouterEntity).insert({ accountId, id: newId(), ...values } as object);
  }

  async update(
    tx: Transaction,
    { accountId }: AccountContext,
    { id, ...values }: RouterValues & Pick<RouterEntity, 'id'>,
  ): Promise<void> {
    await tx.repository(RouterEntity).update({ accountId, id }, values as object);
  }
}
