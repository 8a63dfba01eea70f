import type { Directory, Team } from '../directory/index.js';
import {
  isEmptyPool,
  takesPool,
  type PoolTeam,
  type RouterConfiguration,
  type RouterPart,
  type RouterPool,
} from '../engine/index.js';
import type { RouterContent, RouterEntity, RouterTeam, RouterUser } from './router.entity.js';
import { mapParts, partsOf } from './settings/parts.js';
import { idsIn, type NamedIds } from './settings/people.js';
import { settingsOf } from './settings/settings.js';

interface StoredPool {
  readonly users?: readonly RouterUser[] | undefined;
  readonly teams?: readonly RouterTeam[] | undefined;
}

interface Ids {
  readonly userIds: ReadonlySet<string>;
  readonly teamIds: ReadonlySet<string>;
}

/** Returns the ids of the users and teams that routers name. */
export function idsOf(routers: readonly RouterContent[]): Ids {
  const listed = routers.map(listedIn);
  return {
    userIds: new Set(listed.flatMap(({ userIds, compared }) => [...userIds, ...compared])),
    teamIds: new Set(listed.flatMap(({ teamIds }) => [...teamIds])),
  };
}

/**
 * Returns the ids of the users and teams whom a router lists: in any pool of it, or as the backup; and of the
 * users whom its conditions compare with.
 */
export function listedIn({ settings, users, teams }: RouterContent): Ids & Pick<NamedIds, 'compared'> {
  const named = idsIn(settings);
  return {
    userIds: new Set([...users.map(({ userId }) => userId), ...named.users]),
    teamIds: new Set([...teams.map(({ teamId }) => teamId), ...named.teams]),
    compared: named.compared,
  };
}

/** Returns a stored router as the engine compiles it, without users and teams who are gone. */
export function compilableRouter(router: RouterEntity, directory: Directory): RouterConfiguration {
  const { id, objectType, published, settings } = router;
  const stored = new Map(partsOf<StoredPool>(settings ?? {}).map(({ path, part }) => [path, part]));
  const read = settingsOf(router, directory);
  const resolved =
    read &&
    mapParts(read, (part: RouterPart, { path }) => {
      if (takesPool(part)) return part;
      const pool = routerPool(stored.get(path) ?? {}, directory);
      return { ...part, ...pool, ...(isEmptyPool(pool) && { listsNobody: true as const }) };
    });
  return { id, objectType, published, settings: resolved, ...routerPool(router, directory) };
}

/** Returns the users and teams of a pool. Those that do not exist any more are left out. */
export function routerPool({ users = [], teams = [] }: StoredPool, directory: Directory): RouterPool {
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
