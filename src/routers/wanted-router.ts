import type { Directory } from '../directory/index.js';
import type { ReportIssue } from '../engine/model/field-issue.js';
import type { Failures } from '../errors/errors.js';
import type { ObjectType } from '../fields/index.js';
import { shownName } from '../text/shown-name.js';
import { mentioned } from '../validation/mentioned.js';
import type { RouterDto } from './dto/router.dto.js';
import type { RouterContent, RouterEntity, RouterTeam, RouterUser } from './router.entity.js';
import { shownSettings } from './settings/stored-settings.js';

/** Returns the type of a router; undefined where it is refused. @param present undefined for a new one */
export function objectTypeOf(
  fail: ReportIssue,
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
export interface WantedRouter {
  readonly keys: RouterKeys;
  readonly base: RouterContent | undefined;
  readonly objectType: ObjectType;
}

/**
 * Returns the content that keys make of a base, with names resolved to ids and settings merged key by key,
 * not validated yet, and whether all names are known. Unknown ones are left out.
 */
export function wantedContent(
  fail: ReportIssue,
  { keys, base, objectType }: WantedRouter,
  directory: Directory,
) {
  let isComplete = true;
  const report: ReportIssue = (key, message) => {
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
