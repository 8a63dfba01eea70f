import type { Directory } from '../../directory/index.js';
import { shownSettings, type RouterEntity, type RouterValues } from '../../routers/index.js';

/** Returns a router as the configuration file spells it. Users and teams that are gone are left out. */
export function routerForm(
  router: RouterValues & Pick<RouterEntity, 'name' | 'objectType'>,
  directory: Directory,
): object {
  const users = (router.users ?? []).flatMap(({ userId, ...share }) => {
    const email = directory.user(userId)?.email;
    return email === undefined ? [] : [{ email, ...share }];
  });
  const teams = (router.teams ?? []).flatMap(({ teamId, ...share }) => {
    const name = directory.team(teamId)?.name;
    return name === undefined ? [] : [{ name, ...share }];
  });
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
