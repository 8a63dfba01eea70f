import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import {
  beginsWith,
  inBatches,
  pageById,
  type EntityReader,
  type RowPage,
  type Transaction,
} from '../database/index.js';
import type { PageRequest } from '../paging/index.js';
import { nameKey } from '../text/canonical-text.js';
import { RouterEntity, type RouterContent, type RouterDraft } from './router.entity.js';

/** What is written of a router. */
export type RouterValues = Partial<
  RouterContent & Pick<RouterEntity, 'published' | 'version' | 'draft' | 'archivedAt' | 'archivedBy'>
>;

/** The values of a router that is created. */
export type NewRouter = RouterValues & Pick<RouterEntity, 'id' | 'name' | 'objectType'>;

/** SQL for statements of other rooms: the name of a router, archived or not; null for an unknown one. */
export const routerName = (account: string, id: string): string =>
  `(SELECT router.name FROM routers router WHERE router.account_id = ${account} AND router.id = ${id})`;

/** Reads and writes the routers of accounts. */
@Injectable()
export class RoutersRepository {
  /**
   * Returns one page of routers in creation order, the count of all that match, and whether more follow.
   * @param page `behind`: id of the router behind which the page starts; without it, it starts at the offset;
   *   `q`: what a word of the name begins with
   */
  list(
    db: EntityReader,
    { accountId }: AccountContext,
    {
      archived,
      q,
      ...range
    }: PageRequest & Readonly<Record<'behind', string | undefined>> & { q?: string | undefined },
  ): Promise<RowPage<RouterEntity>> {
    const where = {
      accountId,
      ...(archived ? {} : { archivedAt: IsNull() }),
      ...(q === undefined ? {} : { nameKey: beginsWith(q) }),
    };
    return pageById(db.repository(RouterEntity), where, range);
  }

  /** Returns a router, archived or not. */
  find(db: EntityReader, { accountId }: AccountContext, id: string): Promise<RouterEntity | null> {
    return db.repository(RouterEntity).findOneBy({ accountId, id });
  }

  /** As `find`, with its draft. */
  findWithDraft(db: EntityReader, { accountId }: AccountContext, id: string): Promise<RouterEntity | null> {
    return this.withDrafts(db).where({ accountId, id }).getOne();
  }

  /** As `findWithDraft`, of several. */
  findWithDrafts(
    db: EntityReader,
    { accountId }: AccountContext,
    ids: readonly string[],
  ): Promise<RouterEntity[]> {
    return this.withDrafts(db)
      .where({ accountId, id: In(ids) })
      .getMany();
  }

  /** As `listActive`, with their drafts. */
  listWithDrafts(db: EntityReader, { accountId }: AccountContext): Promise<RouterEntity[]> {
    const active = { accountId, archivedAt: IsNull() };
    return this.withDrafts(db).where(active).orderBy('router.id').getMany();
  }

  /** Returns every router that is not archived, in creation order. */
  listActive(db: EntityReader, { accountId }: AccountContext): Promise<RouterEntity[]> {
    return db.repository(RouterEntity).find({
      where: { accountId, archivedAt: IsNull() },
      order: { id: 'ASC' },
    });
  }

  /**
   * Returns every router that is not archived, by id.
   * @param known gives the routers that have not changed since, and is returned where none has
   */
  async mapActive(
    db: EntityReader,
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

  async insert(tx: Transaction, { accountId }: AccountContext, routers: readonly NewRouter[]): Promise<void> {
    // TypeORM's insert type cannot express free-form JSON.
    const rows: object[] = routers.map((values) => ({ accountId, ...values, ...keyOf(values) }));
    await inBatches(rows, (batch) => tx.repository(RouterEntity).insert(batch));
  }

  async update(
    tx: Transaction,
    { accountId }: AccountContext,
    { id, ...values }: RouterValues & Pick<RouterEntity, 'id'>,
  ): Promise<void> {
    await tx.repository(RouterEntity).update({ accountId, id }, { ...values, ...keyOf(values) } as object);
  }

  /** Writes the draft of a router, of which what is live stays as it is. @param draft null for none */
  async saveDraft(
    tx: Transaction,
    { accountId }: AccountContext,
    { id, draft }: Pick<RouterEntity, 'id'> & { readonly draft: RouterDraft | null },
  ): Promise<void> {
    const values = { draft, updatedAt: () => 'updated_at' };
    await tx.repository(RouterEntity).update({ accountId, id }, values as object);
  }

  private withDrafts(db: EntityReader): SelectQueryBuilder<RouterEntity> {
    return db.repository(RouterEntity).createQueryBuilder('router').addSelect('router.draft');
  }
}

function keyOf({ name }: RouterValues): Pick<RouterEntity, 'nameKey'> {
  return name === undefined ? {} : { nameKey: nameKey(name) };
}

function byId(routers: readonly RouterEntity[]): Map<string, RouterEntity> {
  return new Map(routers.map((router) => [router.id, router]));
}
