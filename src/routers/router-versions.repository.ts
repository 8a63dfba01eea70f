import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import type { AccountContext } from '../accounts/index.js';
import { inBatches, type EntityReader, type Transaction } from '../database/index.js';
import { notFound } from '../errors/errors.js';
import type { PageRange } from '../paging/index.js';
import { isOnlyDraft, routerOfVersion, withContent, type VersionChoice } from './router-content.js';
import { RouterVersionEntity } from './router-version.entity.js';
import type { RouterEntity } from './router.entity.js';
import { RoutersRepository } from './routers.repository.js';

/** A version in the list of a router's versions: without what it has. */
export type ListedVersion = Pick<RouterVersionEntity, 'version' | 'publishedAt' | 'publishedBy' | 'note'>;

interface VersionPage extends PageRange {
  readonly routerId: string;
  readonly behind: number | undefined;
}

interface Chosen<Version> {
  /** As the table has it. */
  readonly router: RouterEntity;
  readonly version: Version;
}

/** Reads routers as they are, or were, in their versions, and adds versions. */
@Injectable()
export class RouterVersionsRepository {
  constructor(private readonly routers: RoutersRepository) {}

  /**
   * Returns one page of the versions of a router, newest first, and the count of all.
   * @param page `behind`: number of the version behind which it starts; without it, it starts at the offset
   */
  async list(
    db: EntityReader,
    { accountId }: AccountContext,
    { routerId, limit, offset, behind }: VersionPage,
  ): Promise<{ versions: ListedVersion[]; count: number; more: boolean }> {
    const repository = db.repository(RouterVersionEntity);
    const all = { accountId, routerId };
    const found = await repository.find({
      select: { version: true, publishedAt: true, publishedBy: true, note: true },
      where: behind === undefined ? all : { ...all, version: LessThan(behind) },
      order: { version: 'DESC' },
      take: limit + 1,
      skip: offset,
    });
    const count = await repository.countBy(all);
    return { versions: found.slice(0, limit), count, more: found.length > limit };
  }

  /** Returns a version. @throws 404 */
  async find(
    db: EntityReader,
    { accountId }: AccountContext,
    { router, version }: Chosen<number>,
  ): Promise<RouterVersionEntity> {
    const asked = { accountId, routerId: router.id, version };
    const found = await db.repository(RouterVersionEntity).findOneBy(asked);
    if (found === null) throw notFound('Version not found');
    return found;
  }

  /**
   * Returns a router as it is in a version. Only the live version of a published router is `published`.
   * @throws 404 where there is no such version, or no draft
   */
  async read(
    db: EntityReader,
    account: AccountContext,
    { router, version }: Chosen<VersionChoice>,
  ): Promise<RouterEntity> {
    if (version === 'live') return router;
    if (version !== 'draft')
      return routerOfVersion(router, await this.find(db, account, { router, version }));
    const found = await this.routers.findWithDraft(db, account, router.id);
    if (found?.draft != null) {
      const updatedAt = new Date(found.draft.updatedAt);
      return withContent(found, found.draft, { published: false, updatedAt });
    }
    if (found === null || !isOnlyDraft(found)) throw notFound('This router has no draft');
    return found;
  }

  /** Returns the number of the newest version of a router; 0 for none. */
  async newest(db: EntityReader, { accountId }: AccountContext, routerId: string): Promise<number> {
    return (await db.repository(RouterVersionEntity).maximum('version', { accountId, routerId })) ?? 0;
  }

  async insert(
    tx: Transaction,
    { accountId }: AccountContext,
    versions: readonly Omit<RouterVersionEntity, 'accountId'>[],
  ): Promise<void> {
    // TypeORM's insert type cannot express free-form JSON.
    const rows: object[] = versions.map((version) => ({ accountId, ...version }));
    await inBatches(rows, (batch) => tx.repository(RouterVersionEntity).insert(batch));
  }
}
