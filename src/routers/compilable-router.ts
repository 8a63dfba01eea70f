import type { Directory } from '../directory/index.js';
import {
  resolveRulePools,
  restoreSettings,
  type RouterConfiguration,
  type RulePeople,
} from '../engine/index.js';
import type { RouterEntity } from './router.entity.js';
import { routerPool, teamPool } from './router-pool.js';

/**
 * Returns a stored router in the form that the engine compiles. Ids and names are resolved to users and
 * teams. Those that do not exist any more are left out.
 */
export function compilableRouter(router: RouterEntity, directory: Directory): RouterConfiguration {
  const { id, objectType, published } = router;
  const settings = router.settings === null ? null : restoreSettings(router.settings, objectType);
  const { pools } = resolveRulePools(settings?.rules ?? [], rulePeople(directory));
  return { id, objectType, published, settings, ...routerPool(router, directory), rules: pools };
}

/** Returns the users and teams that rules can name. */
export function rulePeople(directory: Directory): RulePeople {
  return {
    findUser: (email) => {
      const user = directory.users.get(email);
      return user === undefined ? undefined : { id: user.id, email: user.email };
    },
    findTeam: (name) => {
      const team = directory.findTeam(name);
      return team === undefined ? undefined : teamPool(team, directory);
    },
  };
}
