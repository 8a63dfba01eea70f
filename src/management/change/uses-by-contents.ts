import { withContent, type RouterEntity } from '../../routers/index.js';

/** Something that a router names. */
export interface Use {
  /** Of what is named. */
  readonly key: string;
  /** Such as `the router Inbound (rule VIP)`. */
  readonly text: string;
}

/**
 * Finds uses in what is live of routers, and in their drafts, in one pass.
 * @returns the texts by key; each text is there once
 */
export function usesByContents(
  routers: readonly RouterEntity[],
  find: (content: RouterEntity) => readonly Use[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const uses = new Map<string, Set<string>>();
  for (const router of routers) {
    for (const { key, text } of contentsOf(router).flatMap(find)) {
      uses.set(key, (uses.get(key) ?? new Set()).add(text));
    }
  }
  return uses;
}

/** Returns what is live of a router, and its draft. */
export function contentsOf(router: RouterEntity): readonly RouterEntity[] {
  const { draft = null } = router;
  return draft === null ? [router] : [router, withContent(router, draft)];
}
