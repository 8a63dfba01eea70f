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
    const { draft = null } = router;
    const contents = draft === null ? [router] : [router, withContent(router, draft)];
    for (const { key, text } of contents.flatMap(find)) {
      uses.set(key, (uses.get(key) ?? new Set()).add(text));
    }
  }
  return uses;
}
