import { poolWithout } from '../../engine/index.js';
import { withoutUsers, type RouterContent } from '../../routers/index.js';

/**
 * Returns what a router has without users: not in its pool, in that of a rule or as the backup. Percentages
 * of the others grow in proportion. Returns the same object where the router lists none of them.
 * @param gone ids of users
 */
export function contentWithout<T extends RouterContent>(content: T, gone: ReadonlySet<string>): T {
  const settings = withoutUsers(content.settings, gone);
  const pool = poolWithout(content, ({ userId }) => gone.has(userId));
  if (pool.users.length < content.users.length) return { ...content, settings, ...pool };
  return settings === content.settings ? content : { ...content, settings };
}
