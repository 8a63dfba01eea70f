import type { Directory } from '../../directory/index.js';
import { poolWithout, rotationOfStep, SETTING_KEYS, type SettingKey } from '../../engine/index.js';
import { isId } from '../../text/is-id.js';
import { isPlainObject } from '../../text/is-plain-object.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * The flat form of settings in answers and files (contract, section 4): every key, defaults included, except
 * those that only some routers have. In rules, what is not taken from the router.
 */
export type FlatSettings = Json;

/**
 * Settings as they are stored: the flat form with the rotations of rules, and with ids where that has e-mails
 * of users and names of teams. A whole operand of a condition that is a user's e-mail is `{"user": <id>}`.
 */
export type StoredSettings = Json;

/** Whom settings name, by id. */
export interface NamedIds {
  /** Users who are listed: the backup, and those in pools of rules and steps. */
  readonly users: ReadonlySet<string>;
  readonly teams: ReadonlySet<string>;
  /** Users whom conditions compare with. */
  readonly compared: ReadonlySet<string>;
}

/** What becomes of each name, or id, in settings. */
interface Change {
  readonly user: (user: string) => unknown;
  /** Of an entry in a list of users or teams. */
  readonly users: (entry: Json) => Json;
  readonly teams: (entry: Json) => Json;
  /** Of a whole operand of a condition, or of one in its list. */
  readonly operand: (operand: unknown, field: string) => unknown;
}

const KINDS = new Map(Object.entries<SettingKey>(SETTING_KEYS).map(([key, { kind }]) => [key, kind]));

/**
 * Returns settings as they are stored, with ids in place of names. A name that is nobody's stays.
 * @param isUserField whether a field of the router's object type names users
 */
export function withIds(
  settings: FlatSettings,
  directory: Directory,
  isUserField: (field: string) => boolean,
): StoredSettings {
  const idOf = (email: unknown): unknown => directory.withEmail(String(email))?.id ?? email;
  return mapPeople(settings, {
    user: idOf,
    users: ({ email, ...share }) => ({ userId: idOf(email), ...share }),
    teams: ({ name, ...share }) => ({ teamId: directory.findTeam(String(name))?.id ?? name, ...share }),
    operand: (operand, field) => {
      if (typeof operand !== 'string' || !isUserField(field)) return operand;
      const user = directory.withEmail(operand)?.id;
      return user === undefined ? operand : { user };
    },
  });
}

/** Returns settings with the present names of users and teams. Those who are archived have their last one. */
export function withNames(settings: StoredSettings, directory: Directory): Json {
  const nameOf = (id: unknown): unknown => directory.nameOf(String(id)) ?? id;
  return mapPeople(settings, {
    user: nameOf,
    users: ({ userId, ...share }) => ({ email: nameOf(userId), ...share }),
    teams: ({ teamId, ...share }) => ({ name: nameOf(teamId), ...share }),
    operand: (operand) => directory.nameOf(userIn(operand) ?? '') ?? operand,
  });
}

/** Returns the ids of whom settings name. */
export function idsIn(settings: StoredSettings | null): NamedIds {
  const [users, teams, compared] = [new Set<string>(), new Set<string>(), new Set<string>()];
  mapPeople(settings ?? {}, {
    user: (id) => users.add(id),
    users: (entry) => (users.add(String(entry['userId'])), entry),
    teams: (entry) => (teams.add(String(entry['teamId'])), entry),
    operand: (operand) => {
      const user = userIn(operand);
      if (user !== undefined && isId(user)) compared.add(user);
    },
  });
  return { users, teams, compared };
}

/**
 * Returns settings that do not list users: not as the backup, and not in the pool of a rule or step, where
 * the percentages of the others grow in proportion. A rule that listed nobody else lists nobody, and such a
 * step goes. Conditions stay, because they list nobody. Returns the same object where nothing changes.
 */
export function withoutUsers<T extends StoredSettings | null>(settings: T, gone: ReadonlySet<string>): T {
  if (![...idsIn(settings).users].some((id) => gone.has(id))) return settings;
  const left = Object.entries(settings ?? {}).map(([key, value]): [string, unknown] => {
    const kind = KINDS.get(key);
    if (kind === 'user') return [key, gone.has(String(value)) ? null : value];
    if (kind === 'rules') return [key, listOf(value).map((rule) => ruleWithout(rule, gone))];
    return [key, kind === 'steps' ? stepsWithout(listOf(value), gone) : value];
  });
  return Object.fromEntries(left) as T;
}

function ruleWithout(rule: Json, gone: ReadonlySet<string>): Json {
  const left = withoutMembers(withoutUsers(rule, gone), gone);
  const hadSteps =
    listOf(rule['steps']).length > 0 && rule['users'] === undefined && rule['teams'] === undefined;
  // Without its steps it would take the pool of the router.
  return hadSteps && listOf(left['steps']).length === 0 ? { ...left, users: [], teams: [] } : left;
}

/** Those behind a step that goes keep their rotations. */
function stepsWithout(steps: readonly Json[], gone: ReadonlySet<string>): Json[] {
  const left = steps.map((step, index) => ({ step: withoutMembers(step, gone), place: index + 1 }));
  const staying = left.filter(({ step: { users, teams } }) => !(listsNobody(users) && listsNobody(teams)));
  return staying.map(({ step, place }, index) => {
    const { id, name, rotation_key: key } = step;
    const isByPlace = (id ?? name ?? key) === undefined && place !== index + 1;
    return isByPlace ? { ...step, rotation_key: rotationOfStep({}, place) } : step;
  });
}

/** A step that takes a pool has neither list. */
function listsNobody(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

function withoutMembers(rule: Json, gone: ReadonlySet<string>): Json {
  const before = { users: listOf(rule['users']), teams: listOf(rule['teams']) };
  const { users, teams } = poolWithout(before, ({ userId }) => gone.has(String(userId)));
  if (users.length === before.users.length) return rule;
  // A rule without both keys would take the pool of the router.
  if (users.length + teams.length === 0) return { ...rule, users, teams };
  const { users: _, teams: __, ...rest } = rule;
  return { ...rest, ...(users.length > 0 && { users }), ...(teams.length > 0 && { teams }) };
}

function mapPeople(settings: Json, change: Change): Json {
  const changed = Object.entries(settings).map(([key, value]): [string, unknown] => {
    const kind = KINDS.get(key);
    if (kind === 'user') return [key, typeof value === 'string' ? change.user(value) : value];
    if (kind === 'users' || kind === 'teams') return [key, listOf(value).map(change[kind])];
    if (kind === 'rules' || kind === 'steps') {
      return [key, listOf(value).map((part) => mapPeople(part, change))];
    }
    return [key, kind === 'trigger' && isPlainObject(value) ? mapTrigger(value, change) : value];
  });
  return Object.fromEntries(changed);
}

function mapTrigger(trigger: Json, { operand }: Change): Json {
  const groups = listOf(trigger['groups']).map((group) => ({
    ...group,
    conditions: listOf(group['conditions']).map((condition) => {
      const { field, value } = condition;
      if (value === undefined) return condition;
      const changed = (each: unknown): unknown => operand(each, String(field));
      return { ...condition, value: Array.isArray(value) ? value.map(changed) : changed(value) };
    }),
  }));
  return { ...trigger, groups };
}

function userIn(operand: unknown): string | undefined {
  return isPlainObject(operand) && typeof operand['user'] === 'string' ? operand['user'] : undefined;
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}
