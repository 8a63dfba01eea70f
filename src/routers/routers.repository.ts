import { Injectable } from '@nestjs/common';
import { IsNull, MoreThanOrEqual } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import { inBatches, pageById, type Queryable, type RowPage, type Transaction } from '../database/index.js';
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
  list(
    db: Queryable,
    { accountId }: AccountContext,
    { archived, ...range }: PageRequest & { readonly behind: string | undefined },
  ): Promise<RowPage<RouterEntity>> {
    const where = { accountId, ...(archived ? {} : { archivedAt: IsNull() }) };
    return pageById(db.repository(RouterEntity), where, range);
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

  /** Returns every router, archived ones included, in creation order. */
  listAll(db: Queryable, { accountId }: AccountContext): Promise<RouterEntity[]> {
    return db.repository(RouterEntity).find({ where: { accountId }, order: { id: 'ASC' } });
  }

  /**
   * Returns every router that is not archived, by id.
   * @param known gives the routers that have not changed since, and is returned where none has
   */
  async mapActive(
    db: Queryable,
    account: AccountContext,
    known: KnownPart<ReadonlyMap<string, RouterEntity>> | undefined,
  ): Promise<ReadonlyMap<string, RouterEntity>> {
    if (known === undefined) return byId(await this.listActive(db, account));
    const changed = await db.repository(RouterEntity).find({
      where: { accountId: account.accountId, changedIn: MoreThanOrEqual(known.version) },
      order: { id: 'ASC' },
    });
    if (changed.length === 0) return known.part;
    const routers = new Map([...known.part, ...byId(changed)]);
    for (const { id, archivedAt } of changed) if (archivedAt !== null) routers.delete(id);
    return routers;
  }

  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    routers: readonly (RouterValues & Pick<RouterEntity, 'id' | 'name' | 'objectType'>)[],
  ): Promise<void> {
    // TypeORM's insert type cannot express free-form JSON.
    const rows: object[] = routers.map((values) => ({ accountId, ...values }));
    await inBatches(rows, (batch) => tx.repository(RouterEntity).insert(batch));
  }

  async update(
    tx: Transaction,
    { accountId }: AccountContext,
    { id, ...values }: RouterValues & Pick<RouterEntity, 'id'>,
  ): Promise<void> {
    await tx.repository(RouterEntity).update({ accountId, id }, values as object);
  }
}

function byId(routers: readonly RouterEntity[]): Map<string, RouterEntity> {
  return new Map(routers.map((router) => [router.id, router]));
}
