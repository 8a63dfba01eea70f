import type { Directory } from '../../directory/index.js';
import { versionOf } from '../../paging/index.js';
import {
  routerPool,
  shownSettings,
  type ListedVersion,
  type RouterEntity,
  type RouterValues,
} from '../../routers/index.js';
import { mentioned } from '../../validation/mentioned.js';

/** A router as clients see it, alone and in the list (contract section 4). */
export type RouterView = ReturnType<typeof routerView>;

/** A router in a list without what it decides by. */
export type BriefRouterView = ReturnType<typeof briefRouterView>;

/** The columns of a brief view. */
export const BRIEF_COLUMNS = [
  'id',
  'name',
  'objectType',
  'published',
  'createdAt',
  'updatedAt',
  'archivedAt',
  'archivedBy',
] as const satisfies readonly (keyof RouterEntity)[];

/** Returns the view of a router without settings, users and teams. */
export function briefRouterView(router: Pick<RouterEntity, (typeof BRIEF_COLUMNS)[number]>) {
  return viewWith(router, {});
}

/** Returns the view of a router. Pool entries whose user or team no longer exists are left out. */
export function routerView(router: RouterEntity, directory: Directory) {
  const share = ({ percentage }: { percentage?: number }) => (percentage === undefined ? {} : { percentage });
  return viewWith(router, {
    settings: shownSettings(router, directory),
    users: router.users.flatMap(({ userId, ...entry }) => {
      const user = directory.user(userId);
      if (user === undefined) return [];
      const { id, email, name, timezone, available } = user;
      return [{ id, email, name, timezone, available, ...share(entry) }];
    }),
    /** Members are e-mails in the order of the team. */
    teams: router.teams.flatMap(({ teamId, ...entry }) => {
      const team = directory.team(teamId);
      if (team === undefined) return [];
      const members = team.memberIds.flatMap((id) => directory.user(id)?.email ?? []);
      return [{ id: team.id, name: team.name, members, ...share(entry) }];
    }),
  });
}

function viewWith<Content extends object>(
  router: Pick<RouterEntity, (typeof BRIEF_COLUMNS)[number]>,
  content: Content,
) {
  return {
    id: router.id,
    name: router.name,
    object_type: router.objectType,
    has_integration: false,
    is_published: router.published,
    ...content,
    created_at: router.createdAt.toISOString(),
    updated_at: router.updatedAt.toISOString(),
    /** False, or the time when it was archived. */
    archived: router.archivedAt?.toISOString() ?? false,
    ...(router.archivedAt === null ? {} : { archived_by: router.archivedBy }),
  };
}

/** Returns a router as the configuration file spells it. Users and teams that are gone are left out. */
export function routerForm(
  {
    name,
    objectType,
    published,
    settings: stored = null,
    ...lists
  }: RouterValues & Pick<RouterEntity, 'name' | 'objectType'>,
  directory: Directory,
): object {
  const pool = routerPool(lists, directory);
  const users = pool.users.map(({ email, percentage }) => mentioned({ email, percentage }));
  const teams = pool.teams.map((team) => mentioned({ name: team.name, percentage: team.percentage }));
  const settings = shownSettings({ objectType, settings: stored }, directory);
  // A file cannot say that a router with settings lists nobody.
  const isLeftOut = settings !== null && users.length + teams.length === 0;
  return { name, object_type: objectType, published, settings, ...(isLeftOut ? {} : { users, teams }) };
}

const VERSIONS = new WeakMap<object, string>();

/**
 * Returns the version of a router, with its draft, for its entity tag: another one after each change of what
 * is live and of its draft. So whoever changes or publishes a draft knows both as they are.
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
export type RouterVersionView = ReturnType<typeof routerVersionView>;

/** One version, with the router as it was. */
export type RouterVersionItem = RouterVersionView & { readonly router: RouterView };

/** Returns the view of a version. */
export function routerVersionView({ version, publishedAt, publishedBy, note }: ListedVersion) {
  return { version, published_at: publishedAt.toISOString(), published_by: publishedBy, note };
}
