import type { RouterContent, RouterEntity } from './router.entity.js';
import type { RouterVersionEntity } from './router-version.entity.js';

/** Which version of a router is meant: what is live, what is not published yet, or a number. */
export type VersionChoice = 'live' | 'draft' | number;

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
