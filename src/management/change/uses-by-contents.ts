import { withContent, type RouterEntity } from '../../routers/index.js';

/** Finds uses in what is live of a router, and in its draft. Each text is returned once. */
export function usesByContents(
  router: RouterEntity,
  find: (content: RouterEntity) => readonly string[],
): string[] {
  const { draft = null } = router;
  const drafted = draft === null ? [] : find(withContent(router, draft));
  return [...new Set([...find(router), ...drafted])];
}
