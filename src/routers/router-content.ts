import { nameKey } from '../text/canonical-text.js';
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

/** Returns what changes of a router that is not published build on: its draft, or else what is live. */
export function pendingContent(router: RouterEntity): RouterContent {
  return contentOf(router.draft ?? router);
}

/** Returns what the configuration file says of a router: what is live, or else what would be. */
export function shownContent(router: RouterEntity): RouterContent {
  return router.published ? contentOf(router) : pendingContent(router);
}

/** Whether the row of a router is its draft: it is no version, and there is no other draft. */
export function isOnlyDraft({ published, version, draft = null }: RouterEntity): boolean {
  return !published && version === null && draft === null;
}

/** Says why a draft cannot go live: another version was published since. Undefined where it can. */
export function staleDraft({ id, draft = null, version }: RouterEntity): string | undefined {
  if (draft === null || draft.base === version) return undefined;
  return (
    `The draft was begun on version ${draft.base ?? 'none'}, and version ${version ?? 'none'} was published since: ` +
    `discard the draft (DELETE /routers/${id}/draft) and make it anew`
  );
}

/** Returns the router to which a name belongs, as its live one or that of its draft, other than `id`. */
export function ownerOfName(
  routers: readonly RouterEntity[],
  name: string,
  id?: string,
): RouterEntity | undefined {
  const key = nameKey(name);
  return routers.find((other) => {
    const names = [other.name, other.draft?.name ?? other.name];
    return other.id !== id && names.some((each) => nameKey(each) === key);
  });
}
