import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import type { AccountContext } from '../accounts/index.js';
import { inBatches, type EntityReader, type Transaction } from '../database/index.js';
import type { PageRange } from '../paging/index.js';
import { RouterVersionEntity } from './router-version.entity.js';

/** A version in the list of a router's versions: without what it has. */
export type ListedVersion = Pick<RouterVersionEntity, 'version' | 'publishedAt' | 'publishedBy' | 'note'>;

/** Selects a page of the versions of a router. */
interface VersionPage extends PageRange {
  readonly routerId: string;
  readonly behind: number | undefined;
}

/** Reads and adds versions of routers. */
@Injectable()
export class RouterVersionsRepository {
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

  find(
    db: EntityReader,
    { accountId }: AccountContext,
    { routerId, version }: Pick<RouterVersionEntity, 'routerId' | 'version'>,
  ): Promise<RouterVersionEntity | null> {
    return db.repository(RouterVersionEntity).findOneBy({ accountId, routerId, version });
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
