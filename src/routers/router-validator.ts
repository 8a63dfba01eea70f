import { Inject, Injectable } from '@nestjs/common';
import type { Directory } from '../directory/index.js';
import {
  collectIssues,
  keepRotations,
  keepStepRotations,
  type DistributionModel,
  type ReportIssue,
  type RouterPart,
  type RouterSettings,
  type TriggerOperator,
} from '../engine/index.js';
import type { FieldError } from '../errors/domain-error.js';
import type { Failures } from '../errors/errors.js';
import { FieldTypeRegistry, type FieldCatalog, type ObjectType } from '../fields/index.js';
import { normalizeEmail } from '../text/email-key.js';
import { shownName } from '../text/shown-name.js';
import { mentioned } from '../validation/mentioned.js';
import type { RouterDto } from './dto/router.dto.js';
import { fieldLookup } from './field-lookup.js';
import { pendingContent, routerPool, teamPool } from './router-content.js';
import type { RouterContent, RouterEntity, RouterTeam, RouterUser } from './router.entity.js';
import { parseSettings, renderStored, settingsOf, shownSettings } from './settings/settings.js';
import { mapParts, partsOf } from './settings/parts.js';
import { withIds, type FlatSettings, type StoredSettings } from './settings/people.js';
import { validateRouter } from './settings/validate-router.js';

/** Injection token of the trigger operators: the built-in ones, and those of extensions. */
export const TRIGGER_OPERATORS = Symbol('trigger operator');

/** Injection token of the distribution models. */
export const DISTRIBUTION_MODELS = Symbol('distribution model');

/** Injection token of the eligibility checks, in the order in which they are reported. */
export const ELIGIBILITY_CHECKS = Symbol('eligibility check');

/** A router before validation. */
export interface UncheckedRouter {
  readonly objectType: ObjectType;
  /** The flat form of contract section 4; keys may be left out. */
  readonly settings: FlatSettings | null;
  /** The stored settings that these replace: rules keep their rotations, and may list nobody as before. */
  readonly before?: StoredSettings | null | undefined;
  readonly users: readonly RouterUser[];
  readonly teams: readonly RouterTeam[];
}

const KEYS = ['name', 'object_type', 'settings', 'users', 'teams'] as const;

/** What a file or a request says of a router. What it leaves out stays. */
type RouterKeys = Partial<Pick<RouterDto, (typeof KEYS)[number]>>;

/** Keys of a router, and what they change; undefined for a new router. */
interface WantedRouter {
  readonly keys: RouterKeys;
  readonly base: RouterContent | undefined;
  readonly objectType: ObjectType;
}

/** A router as a request has sent it. */
export interface SentRouter {
  /** Undefined where the body is no object. */
  readonly body: RouterKeys | undefined;
  /** What is wrong with the body by itself. */
  readonly failures: Failures;
}

/** A content, and the type of what it is for. */
export interface TypedContent {
  readonly content: RouterContent;
  readonly objectType: ObjectType;
}

/** A stored version of a router, or its draft. */
export type StoredVersion = RouterContent & Pick<RouterEntity, 'objectType'>;

/** What routers are checked against. */
interface Configured {
  readonly directory: Directory;
  readonly catalog: FieldCatalog;
}

/** Validates routers before they are stored, so that every stored router can run. */
@Injectable()
export class RouterValidator {
  constructor(
    private readonly types: FieldTypeRegistry,
    @Inject(TRIGGER_OPERATORS) private readonly operators: readonly TriggerOperator[],
    @Inject(DISTRIBUTION_MODELS) private readonly models: readonly DistributionModel[],
  ) {}

  /**
   * Validates the settings of a router.
   * @returns the settings in their stored form with every key; or every failing key.
   */
  validate(
    draft: UncheckedRouter,
    catalog: FieldCatalog,
    directory: Directory,
  ): { ok: true; settings: StoredSettings | null } | { ok: false; errors: readonly FieldError[] } {
    const fields = fieldLookup(catalog, this.types, directory);
    const { objectType } = draft;
    const before = settingsOf({ objectType, settings: draft.before ?? null }, directory);
    const known = { fields, operators: this.operators, models: this.models, before };
    const parsed = draft.settings === null ? undefined : parseSettings(draft.settings, objectType, known);
    const settings = parsed?.ok === true ? parsed.settings : null;
    const { issues, report } = collectIssues();
    const resolved = settings && withTeams(settings, directory, report);
    const pool = routerPool(draft, directory);
    const errors: FieldError[] = [
      ...(parsed?.ok === false ? parsed.errors : []),
      ...issues,
      ...validateRouter({ settings: resolved, ...pool }, this.models),
    ];
    // It is looked up also where other settings fail, so that one answer has both.
    const field = 'settings.default_user';
    const backup = draft.settings?.['default_user'];
    const isRead = typeof backup === 'string' && !errors.some((error) => error.field === field);
    if (isRead && directory.findUser(backup) === undefined) {
      errors.push({ field, message: `${shownName(normalizeEmail(backup))} is not a user of the account` });
    }
    if (errors.length > 0) return { ok: false, errors };
    if (settings === null) return { ok: true, settings };
    const rules = keepRotations(settings.rules, before?.rules ?? [], before?.steps);
    const kept = { ...settings, rules, steps: keepStepRotations(settings.steps, before?.steps ?? []) };
    const isUserField = (name: string): boolean => catalog.get(objectType, name)?.type === 'user';
    return { ok: true, settings: withIds(renderStored(kept), directory, isUserField) };
  }

  /**
   * Returns what a router has when keys are applied to a base, ready to be stored: with ids for names, and
   * settings merged key by key. Undefined where something is refused.
   */
  wanted(
    fail: ReportIssue,
    { keys, base, objectType }: WantedRouter,
    { directory, catalog }: Configured,
  ): RouterContent | undefined {
    const { issues, report } = collectIssues();
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
    const isUnset = keys.settings === null || (keys.settings ?? before) === null;
    const shown = shownSettings({ objectType, settings: before }, directory);
    const content = {
      name: keys.name ?? base?.name ?? '',
      settings: isUnset ? null : { ...shown, ...keys.settings },
      users: users ?? base?.users ?? [],
      teams: teams ?? base?.teams ?? [],
    };
    const checked = this.validate({ ...content, objectType, before }, catalog, directory);
    const isComplete = issues.length === 0;
    if (checked.ok && isComplete) return { ...content, settings: checked.settings };
    // A part of a pool may fail where the whole would not.
    const errors = checked.ok ? [] : checked.errors;
    const sure = errors.filter(({ field }) => isComplete || field?.startsWith('settings') === true);
    for (const { field = '', message } of [...issues, ...sure]) fail(field, message);
    return undefined;
  }

  /**
   * Returns what a request wants of a router, which builds on what is not published yet.
   * @param router undefined for a new one
   * @returns undefined where something is refused, which the failures of the request receive
   */
  sent(
    { body, failures }: SentRouter,
    router: RouterEntity | undefined,
    configured: Configured,
  ): TypedContent | undefined {
    const fail: ReportIssue = (field, message) => failures.add(() => ({ field, message }));
    // The keys with which nothing is wrong so far.
    const sound = KEYS.filter((key) => body?.[key] !== undefined && !failures.mentions(key));
    const keys: RouterKeys = Object.fromEntries(sound.map((key) => [key, body?.[key]]));
    const base = router === undefined ? undefined : pendingContent(router);
    const isUnreadable = body === undefined || failures.mentions('object_type');
    const objectType = isUnreadable ? undefined : objectTypeOf(fail, keys, router);
    const content = objectType && this.wanted(fail, { keys, base, objectType }, configured);
    return content && !failures.any ? { content, objectType } : undefined;
  }

  /** Returns what keeps a stored version from being published as things are configured now. */
  check(stored: StoredVersion, catalog: FieldCatalog, directory: Directory): readonly FieldError[] {
    const { objectType, settings, users, teams } = stored;
    const { issues, report } = collectIssues();
    const gone = (what: string) => `This ${what} of the pool is none of the account any more`;
    for (const [index, { userId }] of users.entries()) {
      if (directory.user(userId) === undefined) report(`users[${index}].email`, gone('user'));
    }
    for (const [index, { teamId }] of teams.entries()) {
      if (directory.team(teamId) === undefined) report(`teams[${index}].name`, gone('team'));
    }
    reportReplacedTeams(settings, directory, report);
    const shown = shownSettings({ objectType, settings }, directory);
    const unchecked = { objectType, settings: shown, before: settings, users, teams };
    const checked = this.validate(unchecked, catalog, directory);
    return checked.ok ? issues : [...issues, ...checked.errors];
  }
}

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

/** Finds the teams of rules and steps, and reports each user and team whom the account has not. */
function withTeams(settings: RouterSettings, directory: Directory, report: ReportIssue): RouterSettings {
  return mapParts(settings, (part: RouterPart, { path }) => {
    for (const [place, { email }] of part.users.entries()) {
      if (directory.users.has(email)) continue;
      report(`${path}.users[${place}].email`, `${shownName(email)} is not a user of the account`);
    }
    const teams = part.teams.map((team, place) => {
      const found = directory.findTeam(team.name);
      if (found !== undefined) return { ...team, members: teamPool(found, directory).members };
      report(`${path}.teams[${place}].name`, `${shownName(team.name)} is not a team of the account`);
      return team;
    });
    return { ...part, teams };
  });
}

/** Says of each archived team in the pools of settings that another is called so now. */
function reportReplacedTeams(
  settings: StoredSettings | null,
  directory: Directory,
  report: ReportIssue,
): void {
  const parts = partsOf<{ readonly teams?: readonly RouterTeam[] }>(settings ?? {});
  for (const { part, path } of parts) {
    for (const [place, { teamId }] of (part.teams ?? []).entries()) {
      const name = directory.nameOf(teamId) ?? '';
      // Without another it is unknown.
      if (directory.team(teamId) !== undefined || directory.findTeam(name) === undefined) continue;
      const message = `The team ${name} of this version is archived: the one that is called so now is another`;
      report(`${path}.teams[${place}].name`, message);
    }
  }
}
