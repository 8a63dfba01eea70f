import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThanOrEqual, type SelectQueryBuilder } from 'typeorm';
import type { AccountContext, KnownPart } from '../accounts/index.js';
import {
  beginsWith,
  inBatches,
  isId,
  pageById,
  type EntityReader,
  type IdRange,
  type RowPage,
  type Transaction,
} from '../database/index.js';
import { notFound } from '../errors/errors.js';
import type { ObjectType } from '../fields/index.js';
import type { PageRequest } from '../paging/index.js';
import { nameKey } from '../text/canonical-text.js';
import { RouterEntity, type RouterContent, type RouterDraft } from './router.entity.js';

/** What is written of a router. */
export type RouterValues = Partial<
  RouterContent & Pick<RouterEntity, 'published' | 'version' | 'draft' | 'archivedAt' | 'archivedBy'>
>;

/** The values of a router that is created. */
export type NewRouter = RouterValues & Pick<RouterEntity, 'id' | 'name' | 'objectType'>;

/** Which routers a list has; all unless given. */
export interface RouterFilter {
  /** What a word of the name begins with. */
  readonly q?: string | undefined;
  readonly ids?: Iterable<string> | undefined;
  readonly objectType?: ObjectType | undefined;
}

/** SQL for statements of other rooms: the name of a router, archived or not; null for an unknown one. */
export const routerName = (account: string, id: string): string =>
  `(SELECT router.name FROM routers router WHERE router.account_id = ${account} AND router.id = ${id})`;

/** Reads and writes the routers of accounts. */
@Injectable()
export class RoutersRepository {
  /**
   * Returns one page of routers in creation order, the count of all that match, and whether more follow.
   * @param page `behind`: id of the router behind which the page starts; without it, it starts at the offset
   */
  list(
    db: EntityReader,
    { accountId }: AccountContext,
    { archived, q, ids, objectType, ...range }: PageRequest & IdRange & RouterFilter,
  ): Promise<RowPage<RouterEntity>> {
    const where = {
      accountId,
      ...(archived ? {} : { archivedAt: IsNull() }),
      ...(q === undefined ? {} : { nameKey: beginsWith(q) }),
      ...(ids === undefined ? {} : { id: In([...ids]) }),
      ...(objectType === undefined ? {} : { objectType }),
    };
    return pageById(db.repository(RouterEntity), where, range);
  }

  /** Returns the routers that have one of some ids anywhere in what is live: in a pool, or in a condition. */
  mentioning(
    db: EntityReader,
    { accountId }: AccountContext,
    ids: readonly string[],
  ): Promise<RouterEntity[]> {
    return db
      .repository(RouterEntity)
      .createQueryBuilder('router')
      .where({ accountId })
      .andWhere('concat(router.users, router.teams, router.settings) LIKE ANY (:patterns)', {
        patterns: ids.map((id) => `%${id}%`),
      })
      .getMany();
  }

  /** Returns since when a change waits for its publication, ISO 8601, of those routers that have one. */
  async draftsSince(
    db: EntityReader,
    { accountId }: AccountContext,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await db
      .repository(RouterEntity)
      .createQueryBuilder('router')
      .select('router.id', 'id')
      .addSelect(`COALESCE(router.draft ->> 'updatedAt', iso_utc(router.updatedAt))`, 'since')
      .where({ accountId, id: In(ids), archivedAt: IsNull() })
      // What was never published is a draft as it is.
      .andWhere('(router.draft IS NOT NULL OR NOT router.published AND router.version IS NULL)')
      .getRawMany<{ id: string; since: string }>();
    return new Map(rows.map(({ id, since }) => [id, since]));
  }

  /** Returns a router, archived or not, with its draft. */
  findWithDraft(db: EntityReader, { accountId }: AccountContext, id: string): Promise<RouterEntity | null> {
    return this.withDrafts(db).where({ accountId, id }).getOne();
  }

  /** As `findWithDraft`, for what a request names. @throws 404 */
  async get(db: EntityReader, account: AccountContext, id: string): Promise<RouterEntity> {
    const router = isId(id) ? await this.findWithDraft(db, account, id) : null;
    if (router === null) throw notFound('Router not found');
    return router;
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
