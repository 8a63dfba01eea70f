import { poolWithout, removeFromSettings } from '../../engine/index.js';
import type { RouterContent } from '../../routers/index.js';

/** Users who are taken out of routers. */
export interface GoneUsers {
  readonly ids: ReadonlySet<string>;
  readonly emails: ReadonlySet<string>;
}

/**
 * Returns what a router has without users: not in its pool, in that of a rule or as the backup. Percentages
 * of the others grow in proportion. Returns the same object where the router lists none of them.
 */
export function contentWithout<T extends RouterContent>(content: T, { ids, emails }: GoneUsers): T {
  const settings = removeFromSettings(content.settings, emails);
  const pool = poolWithout(content, ({ userId }) => ids.has(userId));
  if (pool.users.length < content.users.length) return { ...content, settings, ...pool };
  return settings === content.settings ? content : { ...content, settings };
}
