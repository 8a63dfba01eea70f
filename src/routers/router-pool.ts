import type { Directory, Team } from '../directory/index.js';
import type { PoolTeam, RouterPool } from '../engine/index.js';
import type { RouterTeam, RouterUser } from './router.entity.js';

/** The pool of a router, by ids. */
interface StoredPool {
  readonly users: readonly RouterUser[];
  readonly teams: readonly RouterTeam[];
}

/** Returns the ids of the users and teams that routers list. */
export function poolIds(routers: readonly StoredPool[]): { userIds: Set<string>; teamIds: Set<string> } {
  return {
    userIds: new Set(routers.flatMap(({ users }) => users.map(({ userId }) => userId))),
    teamIds: new Set(routers.flatMap(({ teams }) => teams.map(({ teamId }) => teamId))),
  };
}

/**
 * Returns the users and teams that a router lists, with ids resolved. Those that no longer exist are left
 * out.
 */
export function routerPool({ users, teams }: StoredPool, directory: Directory): RouterPool {
  return {
    users: users.flatMap(({ userId, percentage }) => {
      const user = directory.user(userId);
      return user === undefined ? [] : [{ id: userId, email: user.email, percentage }];
    }),
    teams: teams.flatMap(({ teamId, percentage }) => {
      const team = directory.team(teamId);
      return team === undefined ? [] : [{ ...teamPool(team, directory), percentage }];
    }),
  };
}

/** The pools of teams, as of the people of a directory. Many rules and routers may name one team. */
const known = new WeakMap<Team, { readonly people: object; readonly pool: PoolTeam }>();

/** Returns a team with those of its members who are users of the account. */
export function teamPool(team: Team, directory: Directory): PoolTeam {
  const found = known.get(team);
  if (found?.people === directory.people) return found.pool;
  const { id, name, memberIds } = team;
  const members = memberIds.flatMap((memberId) => {
    const user = directory.user(memberId);
    return user === undefined ? [] : [{ id: memberId, email: user.email }];
  });
  const pool = { id, name, members };
  known.set(team, { people: directory.people, pool });
  return pool;
}
