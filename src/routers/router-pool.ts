import type { Directory } from '../directory/index.js';
import type { RouterPool } from '../dispatch/engine/index.js';
import type { RouterTeam, RouterUser } from './router.entity.js';

/** Those whom a router lists, ids turned into people. Users and teams that no longer exist are left out. */
export function routerPool(
  { users, teams }: { readonly users: readonly RouterUser[]; readonly teams: readonly RouterTeam[] },
  directory: Directory,
): RouterPool {
  return {
    users: users.flatMap(({ userId, percentage }) => {
      const user = directory.user(userId);
      return user === undefined ? [] : [{ id: userId, email: user.email, percentage }];
    }),
    teams: teams.flatMap(({ teamId, percentage }) => {
      const team = directory.team(teamId);
      if (team === undefined) return [];
      const members = team.memberIds.flatMap((id) => {
        const user = directory.user(id);
        return user === undefined ? [] : [{ id, email: user.email }];
      });
      return [{ id: teamId, name: team.name, members, percentage }];
    }),
  };
}
