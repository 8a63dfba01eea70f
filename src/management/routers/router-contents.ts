import type { Directory } from '../../directory/index.js';
import type { FieldCatalog } from '../../fields/index.js';
import {
  contentOf,
  pendingContent,
  routerPool,
  shownSettings,
  type RouterContent,
  type RouterEntity,
  type RouterValues,
} from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { mentioned } from '../../validation/mentioned.js';

/** What routers are checked against, as of one change. */
export interface RouterContext {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
  /** Every active router, with its draft. */
  readonly routers: readonly RouterEntity[];
}

/** Returns a router as the configuration file spells it. Users and teams that are gone are left out. */
export function routerForm(
  router: RouterValues & Pick<RouterEntity, 'name' | 'objectType'>,
  directory: Directory,
): object {
  const pool = routerPool(router, directory);
  const users = pool.users.map(({ email, percentage }) => mentioned({ email, percentage }));
  const teams = pool.teams.map(({ name, percentage }) => mentioned({ name, percentage }));
  const settings = shownSettings(
    { objectType: router.objectType, settings: router.settings ?? null },
    directory,
  );
  return {
    name: router.name,
    object_type: router.objectType,
    published: router.published,
    settings,
    // A file cannot say that a router with settings lists nobody.
    ...(settings !== null && users.length + teams.length === 0 ? {} : { users, teams }),
  };
}

/** Returns what the configuration file says of a router: what is live, or else what would be. */
export function shownContent(router: RouterEntity): RouterContent {
  return router.published ? contentOf(router) : pendingContent(router);
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
