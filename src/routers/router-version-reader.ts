import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { EntityReader } from '../database/index.js';
import { notFound } from '../errors/errors.js';
import type { RouterContent, RouterEntity } from './router.entity.js';
import { RouterVersionsRepository } from './router-versions.repository.js';
import { RoutersRepository } from './routers.repository.js';
import type { RouterVersionEntity } from './router-version.entity.js';

/** Which version of a router is meant: what is live, what is not published yet, or a number. */
export type VersionChoice = 'live' | 'draft' | number;

/** A router, and which version of it is meant. */
interface Chosen<Version> {
  /** As the table has it. */
  readonly router: RouterEntity;
  readonly version: Version;
}

/** Reads routers as they are, or were, in their versions. */
@Injectable()
export class RouterVersionReader {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly versions: RouterVersionsRepository,
  ) {}

  /** Returns a version. @throws 404 */
  async find(
    db: EntityReader,
    account: AccountContext,
    { router, version }: Chosen<number>,
  ): Promise<RouterVersionEntity> {
    const found = await this.versions.find(db, account, { routerId: router.id, version });
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
    if (version === 'draft') return this.draft(db, account, router);
    return routerOfVersion(router, await this.find(db, account, { router, version }));
  }

  private async draft(
    db: EntityReader,
    account: AccountContext,
    router: RouterEntity,
  ): Promise<RouterEntity> {
    const found = await this.routers.findWithDraft(db, account, router.id);
    const draft = found?.draft ?? null;
    if (found !== null && draft !== null) {
      const updatedAt = new Date(draft.updatedAt);
      return withContent(found, draft, { published: false, updatedAt });
    }
    if (found === null || !isOnlyDraft(found)) throw notFound('This router has no draft');
    return found;
  }
}

/** Returns a router as it was in a version. Only the live version of a published router is `published`. */
export function routerOfVersion(router: RouterEntity, found: RouterVersionEntity): RouterEntity {
  const { version, publishedAt } = found;
  const published = router.published && router.version === version;
  return withContent(router, found, { published, updatedAt: publishedAt });
}

/** Returns a router with another content. @param more what else differs */
export function withContent(
  router: Pick<RouterEntity, keyof RouterEntity>,
  content: RouterContent,
  more: Partial<Pick<RouterEntity, 'published' | 'updatedAt'>> = {},
): RouterEntity {
  return { ...router, ...contentOf(content), ...more };
}

/** Returns what a version has of a row that has more. */
export function contentOf({ name, settings, users, teams }: RouterContent): RouterContent {
  return { name, settings, users, teams };
}

/** Whether the row of a router is its draft: it is no version, and there is no other draft. */
export function isOnlyDraft({ published, version, draft = null }: RouterEntity): boolean {
  return !published && version === null && draft === null;
}
