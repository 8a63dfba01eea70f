import type { Directory } from '../directory/index.js';
import { versionOf } from '../paging/index.js';
import type { RouterPublisher } from './router-version.entity.js';
import type { ListedVersion } from './router-versions.repository.js';
import type { RouterEntity } from './router.entity.js';
import type { FlatSettings } from './settings/people.js';
import { shownSettings } from './settings/stored-settings.js';

/** A user in a router's pool. */
export interface RouterUserView {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly timezone: string;
  readonly available: boolean;
  readonly percentage?: number;
}

/** A team in a router's pool. The members are e-mail addresses in the team's order. */
export interface RouterTeamView {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly percentage?: number;
}

/** A router as clients see it, alone and in the list (contract section 4). */
export interface RouterView {
  readonly id: string;
  readonly name: string;
  readonly object_type: string;
  readonly has_integration: false;
  readonly is_published: boolean;
  /** Flat; null for a router that was never given settings. */
  readonly settings: FlatSettings | null;
  readonly users: readonly RouterUserView[];
  readonly teams: readonly RouterTeamView[];
  readonly created_at: string;
  readonly updated_at: string;
  /** False, or the time when it was archived. */
  readonly archived: false | string;
  readonly archived_by?: string | null;
}

/** Returns the view of a router. Pool entries whose user or team no longer exists are left out. */
export function routerView(router: RouterEntity, directory: Directory): RouterView {
  return {
    id: router.id,
    name: router.name,
    object_type: router.objectType,
    has_integration: false,
    is_published: router.published,
    settings: shownSettings(router, directory),
    users: router.users.flatMap(({ userId, percentage }) => {
      const user = directory.user(userId);
      if (user === undefined) return [];
      const { id, email, name, timezone, available } = user;
      return [{ id, email, name, timezone, available, ...(percentage === undefined ? {} : { percentage }) }];
    }),
    teams: router.teams.flatMap(({ teamId, percentage }) => {
      const team = directory.team(teamId);
      if (team === undefined) return [];
      const members = team.memberIds.flatMap((id) => directory.user(id)?.email ?? []);
      return [{ id: team.id, name: team.name, members, ...(percentage === undefined ? {} : { percentage }) }];
    }),
    created_at: router.createdAt.toISOString(),
    updated_at: router.updatedAt.toISOString(),
    archived: router.archivedAt?.toISOString() ?? false,
    ...(router.archivedAt === null ? {} : { archived_by: router.archivedBy }),
  };
}

const VERSIONS = new WeakMap<object, string>();

/**
 * Returns the version of a router for its entity tag: another one after each change of what is live and of
 * its draft. So whoever changes or publishes a draft knows both as they are.
 * @param router with its draft
 */
export function routerVersion(router: RouterEntity): string {
  const { name, settings, users, teams, published, version, draft = null, updatedAt, archivedAt } = router;
  return versionOf([name, settings, users, teams, published, version, draft, updatedAt, archivedAt]);
}

/** Notes the version of the router that a view is of. @param router with its draft */
export function withRouterVersion(view: RouterView, router: RouterEntity): RouterView {
  VERSIONS.set(view, routerVersion(router));
  return view;
}

/** Returns the version of the router that a view is of; undefined where none is noted. */
export function routerVersionOf(view: object): string | undefined {
  return VERSIONS.get(view);
}

/** A version in the list of a router's versions (contract section 6). */
export interface RouterVersionView {
  readonly version: number;
  readonly published_at: string;
  /** Null for what was live before routers had versions. */
  readonly published_by: RouterPublisher | null;
  readonly note: string | null;
}

/** One version, with the router as it was. */
export interface RouterVersionItem extends RouterVersionView {
  readonly router: RouterView;
}

export function routerVersionView(row: ListedVersion): RouterVersionView {
  const { version, publishedAt, publishedBy, note } = row;
  return { version, published_at: publishedAt.toISOString(), published_by: publishedBy, note };
}
