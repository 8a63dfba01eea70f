import { nameKey } from '../text/canonical-text.js';
import type { RouterContent, RouterEntity, RouterTeam, RouterUser } from './router.entity.js';
import type { RouterVersionEntity } from './router-version.entity.js';
import type { Directory, Team } from '../directory/index.js';
import {
  isEmptyPool,
  takesPool,
  type PoolTeam,
  type RouterConfiguration,
  type RouterPart,
  type RouterPool,
} from '../engine/index.js';
import { mapParts, partsOf } from './settings/parts.js';
import { idsIn, type NamedIds } from './settings/people.js';
import { settingsOf } from './settings/settings.js';

/** Which version of a router is meant: what is live, what is not published yet, or a number. */
export type VersionChoice = 'live' | 'draft' | number;

/** Returns a router as it was in a version. Only the live version of a published router is `published`. */
export function routerOfVersion(router: RouterEntity, found: RouterVersionEntity): RouterEntity {
  const { version, publishedAt } = found;
  const published = router.published && router.version === version;
  return withContent(router, found, { published, updatedAt: publishedAt });
}

/** Returns a router with another content. @param more what else differs */
export function withContent(
  router: Pick<RouterEntity, keyof RouterEntity>,
  content: RouterContent,
  more: Partial<Pick<RouterEntity, 'published' | 'updatedAt'>> = {},
): RouterEntity {
  return { ...router, ...contentOf(content), ...more };
}

/** Returns what a version has of a row that has more. */
export function contentOf({ name, settings, users, teams }: RouterContent): RouterContent {
  return { name, settings, users, teams };
}

/** Returns what changes of a router that is not published build on: its draft, or else what is live. */
export function pendingContent(router: RouterEntity): RouterContent {
  return contentOf(router.draft ?? router);
}

/** Returns what the configuration file says of a router: what is live, or else what would be. */
export function shownContent(router: RouterEntity): RouterContent {
  return router.published ? contentOf(router) : pendingContent(router);
}

/** Whether the row of a router is its draft: it is no version, and there is no other draft. */
export function isOnlyDraft({ published, version, draft = null }: RouterEntity): boolean {
  return !published && version === null && draft === null;
}

/** Says why a draft cannot go live: another version was published since. Undefined where it can. */
export function staleDraft({ id, draft = null, version }: RouterEntity): string | undefined {
  if (draft === null || draft.base === version) return undefined;
  return (
    `The draft was begun on version ${draft.base ?? 'none'}, and version ${version ?? 'none'} was published since: ` +
    `discard the draft (DELETE /routers/${id}/draft) and make it anew`
  );
}

/** Returns the router to which a name belongs, as its live one or that of its draft, other than `id`. */
export function ownerOfName(
  routers: readonly RouterEntity[],
  name: string,
  id?: string,
): RouterEntity | undefined {
  const key = nameKey(name);
  return routers.find((other) => {
    const names = [other.name, other.draft?.name ?? other.name];
    return other.id !== id && names.some((each) => nameKey(each) === key);
  });
}

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
