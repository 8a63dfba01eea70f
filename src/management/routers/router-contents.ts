import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { EntityReader } from '../../database/index.js';
import { DirectoryRepository, type Directory } from '../../directory/index.js';
import type { Failures } from '../../errors/errors.js';
import { FieldCatalog, FieldsRepository, type ObjectType } from '../../fields/index.js';
import {
  contentOf,
  idsOf,
  RoutersRepository,
  RouterValidator,
  shownSettings,
  type RouterContent,
  type RouterDto,
  type RouterEntity,
  type RouterTeam,
  type RouterUser,
  type RouterValues,
  type StoredVersion,
} from '../../routers/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { shownName } from '../../text/shown-name.js';
import { mentioned, type ConfigurationChange, type Fail } from '../change/configuration-change.js';

/** What routers are checked against, as of one change. */
export interface RouterContext {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
  /** Every active router, with its draft. */
  readonly routers: readonly RouterEntity[];
}

/** Makes what routers have out of what files and requests say, by the rules of both. */
@Injectable()
export class RouterContents {
  constructor(
    private readonly routers: RoutersRepository,
    private readonly directory: DirectoryRepository,
    private readonly fields: FieldsRepository,
    private readonly validator: RouterValidator,
  ) {}

  async load({ tx, account }: Pick<ConfigurationChange, 'tx' | 'account'>): Promise<RouterContext> {
    const directory = await this.directory.load(tx, account);
    const catalog = new FieldCatalog(await this.fields.list(tx, account));
    return { directory, catalog, routers: await this.routers.listWithDrafts(tx, account) };
  }

  /** Returns whom versions of a router name. */
  people(db: EntityReader, account: AccountContext, versions: readonly RouterEntity[]): Promise<Directory> {
    return this.directory.loadSome(db, account, { ...idsOf(versions), withMembers: false });
  }

  /**
   * Returns what a router has when the keys are applied to the base, ready to be stored.
   * @returns undefined where something is refused
   */
  wanted(fail: Fail, wanted: WantedRouter, { directory, catalog }: RouterContext): RouterContent | undefined {
    const { content, isComplete } = wantedContent(fail, wanted, directory);
    const unchecked = { ...content, objectType: wanted.objectType, before: wanted.base?.settings };
    const checked = this.validator.validate(unchecked, catalog, directory);
    if (checked.ok) return isComplete ? { ...content, settings: checked.settings } : undefined;
    for (const { field = '', message } of checked.errors) {
      // A part of a pool may fail where the whole would not.
      if (isComplete || field.startsWith('settings')) fail(field, message);
    }
    return undefined;
  }

  /** Reports what keeps a stored content from being published as things are configured now. */
  check(fail: Fail, router: StoredVersion, { directory, catalog }: RouterContext): void {
    for (const { field, message } of this.validator.check(router, catalog, directory)) {
      fail(field ?? '', message);
    }
  }
}

/** Returns the type of a router; undefined where it is refused. @param present undefined for a new one */
export function objectTypeOf(
  fail: Fail,
  { object_type }: RouterKeys,
  present: RouterEntity | undefined,
): ObjectType | undefined {
  const objectType = object_type ?? present?.objectType;
  if (objectType === undefined) fail('object_type', 'object_type is required for a new router');
  if (present === undefined || objectType === present.objectType) return objectType;
  fail('object_type', `the object type of this router is ${present.objectType} and cannot change`);
  return undefined;
}

/** What a file or a request says of a router. What it leaves out stays. */
export type RouterKeys = Partial<Pick<RouterDto, 'name' | 'object_type' | 'settings' | 'users' | 'teams'>>;

/** Keys of a router, and what they change; undefined for a new router. */
interface WantedRouter {
  readonly keys: RouterKeys;
  readonly base: RouterContent | undefined;
  readonly objectType: ObjectType;
}

/**
 * Returns the content that keys make of a base, with names resolved to ids and settings merged key by key,
 * not validated yet, and whether all names are known. Unknown ones are left out.
 */
function wantedContent(fail: Fail, { keys, base, objectType }: WantedRouter, directory: Directory) {
  let isComplete = true;
  const report: Fail = (key, message) => {
    isComplete = false;
    fail(key, message);
  };
  const users = keys.users?.flatMap(({ email, ...share }, index): RouterUser[] => {
    const userId = directory.withEmail(email)?.id;
    if (userId !== undefined) return [{ userId, ...mentioned(share) }];
    report(`users[${index}].email`, `${shownName(email)} is not a user of the account`);
    return [];
  });
  const teams = keys.teams?.flatMap(({ name, ...share }, index): RouterTeam[] => {
    const teamId = directory.findTeam(name)?.id;
    if (teamId !== undefined) return [{ teamId, ...mentioned(share) }];
    report(`teams[${index}].name`, `${shownName(name)} is not a team of the account`);
    return [];
  });
  // One without settings assigns nobody anyway.
  if (keys.users?.length === 0 && keys.teams?.length === 0 && keys.settings !== null) {
    report('users', 'users and teams list nobody: leave them out for a router without a pool');
  }
  const before = base?.settings ?? null;
  const isUnset = keys.settings === null || (keys.settings === undefined && before === null);
  const content = {
    name: keys.name ?? base?.name ?? '',
    settings: isUnset
      ? null
      : { ...shownSettings({ objectType, settings: before }, directory), ...keys.settings },
    users: users ?? base?.users ?? [],
    teams: teams ?? base?.teams ?? [],
  };
  return { content, isComplete };
}

/** A router as a request has sent it. */
export interface SentRouter {
  /** Undefined where the body is no object. */
  readonly body: RouterKeys | undefined;
  /** What is wrong with the body by itself. */
  readonly failures: Failures;
}

const KEYS = ['name', 'object_type', 'settings', 'users', 'teams'] as const;

/** Returns the keys with which nothing is wrong so far. */
export function withoutFailingKeys({ body, failures }: SentRouter): RouterKeys {
  const sound = KEYS.filter((key) => body?.[key] !== undefined && !failures.mentions(key));
  return Object.fromEntries(sound.map((key) => [key, body?.[key]]));
}

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

/** Returns what changes of a router that is not published build on: its draft, or else what is live. */
export function pendingContent(router: RouterEntity): RouterContent {
  return contentOf(router.draft ?? router);
}

/** Returns what the configuration file says of a router: what is live, or else what would be. */
export function shownContent(router: RouterEntity): RouterContent {
  return router.published ? contentOf(router) : pendingContent(router);
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
