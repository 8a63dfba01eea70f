import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import { inBatches, type Queryable, type Transaction } from '../database/index.js';
import type { PageRange } from '../http/index.js';
import { RouterVersionEntity } from './router-version.entity.js';

/** A version in the list of a router's versions: without what it has. */
export type ListedVersion = Pick<RouterVersionEntity, 'version' | 'publishedAt' | 'publishedBy' | 'note'>;

/** Reads and adds versions of routers. */
@Injectable()
export class RouterVersionsRepository {
  /** Returns one page of the versions of a router, newest first, and the count of all. */
  async list(
    db: Queryable,
    { accountId }: AccountContext,
    { routerId, limit, offset }: PageRange & { readonly routerId: string },
  ): Promise<{ versions: ListedVersion[]; count: number }> {
    const [versions, count] = await db.repository(RouterVersionEntity).findAndCount({
      select: { version: true, publishedAt: true, publishedBy: true, note: true },
      where: { accountId, routerId },
      order: { version: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { versions, count };
  }

  find(
    db: Queryable,
    { accountId }: AccountContext,
    { routerId, version }: Pick<RouterVersionEntity, 'routerId' | 'version'>,
  ): Promise<RouterVersionEntity | null> {
    return db.repository(RouterVersionEntity).findOneBy({ accountId, routerId, version });
  }

  /** Returns the number of the newest version of a router; 0 for none. */
  async newest(db: Queryable, { accountId }: AccountContext, routerId: string): Promise<number> {
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
