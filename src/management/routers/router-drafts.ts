import { nameKey } from '../../text/canonical-text.js';
import { contentOf, type RouterContent, type RouterEntity } from '../../routers/index.js';

/** Returns what changes of a router that is not published build on: its draft, or else what is live. */
export function pendingContent(router: RouterEntity): RouterContent {
  return contentOf(router.draft ?? router);
}

/** Returns what the configuration file says of a router: what is live, or else what would be. */
export function shownContent(router: RouterEntity): RouterContent {
  return router.published ? contentOf(router) : pendingContent(router);
}

/** Whether another version was published since the draft of a router was begun. */
export function isStale({ draft = null, version }: RouterEntity): boolean {
  return draft !== null && draft.base !== version;
}

/** Says of a stale draft what is the matter with it. */
export function staleMessage({ id, draft, version }: RouterEntity): string {
  const named = (of: number | null | undefined): string =>
    of === null || of === undefined ? 'none' : `${of}`;
  return (
    `The draft was begun on version ${named(draft?.base)}, and version ${named(version)} was published since: ` +
    `discard the draft (DELETE /routers/${id}/draft) and make it anew`
  );
}

/** Returns the router to which a name belongs, as its live one or that of its draft, other than `id`. */
export function ownerOfName(
  routers: readonly RouterEntity[],
  { id, name }: { readonly id: string | undefined; readonly name: string },
): RouterEntity | undefined {
  const key = nameKey(name);
  return routers.find((other) => {
    const names = [other.name, other.draft?.name ?? other.name];
    return other.id !== id && names.some((each) => nameKey(each) === key);
  });
}
