import type { Directory } from '../../directory/index.js';
import {
  collectIssues,
  conditionCheck,
  isEmail,
  isEmptyPool,
  readArray,
  readObject,
  readTrigger,
  settingsIn,
  type CheckCondition,
  type FieldIssue,
  type KnownParts,
  type PlacedValue,
  type ReportIssue,
  type RouterPart,
  type RouterSettings,
  type Setting,
  type SettingKind,
  type SettingPlace,
  type Trigger,
} from '../../engine/index.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { nameKey } from '../../text/canonical-text.js';
import { normalizeEmail } from '../../text/email-key.js';
import { shownName } from '../../text/shown-name.js';
import { isLongerThan, textProblem } from '../../text/text-problem.js';
import { withNames, type FlatSettings, type StoredSettings } from './people.js';

/** Settings with every default applied, or every error of the given ones. */
export type SettingsResult =
  | { readonly ok: true; readonly settings: RouterSettings }
  | { readonly ok: false; readonly errors: readonly FieldIssue[] };

interface KnownSettings extends KnownParts {
  /** The settings that these replace, whose rules may list nobody. */
  readonly before?: Pick<RouterSettings, 'rules'> | null;
}

interface Reading {
  readonly objectType: ObjectType;
  readonly report: ReportIssue;
  /** Receives every condition of the right form. */
  readonly check: CheckCondition;
  /** Undefined for settings as they are stored: they may have what cannot be configured. */
  readonly known: KnownSettings | undefined;
}

/** Settings of one place by their names in code. Those that are left out or wrong are not there. */
type ReadKeys = Readonly<Record<string, unknown>>;

/** Reads a setting and reports a value of the wrong form. @returns undefined for that and for none */
type Reader = (place: PlacedValue, setting: Setting, reading: Reading) => unknown;

const MOST_STEPS = 20;

const LONGEST_NAME = 200;

/** Kinds of settings that say who gets a record, which a rule that refuses takes none of. */
const OF_POOL: readonly (SettingKind | undefined)[] = ['users', 'teams', 'steps', 'model', 'word'];

/** What to do about a part that lists nobody. */
const LISTS_NOBODY = {
  rule: "The rule lists nobody: leave out users and teams for the router's pool, or set refuse to true",
  step: 'The step lists nobody: leave out users and teams for the pool that it follows',
};

/** Reads a value of which something holds. @param must what it must be */
function valueThat(holds: (value: unknown) => boolean, must: string): Reader {
  return ({ value, path }, { key }, { report }) => {
    if (value === undefined || holds(value)) return value;
    report(path, `${key} must be ${must}`);
    return undefined;
  };
}

const READERS: Readonly<Record<SettingKind, Reader>> = {
  flag: valueThat((value) => typeof value === 'boolean', 'true or false'),
  id: (place, setting, reading) =>
    place.value === undefined ? undefined : READERS.name(place, setting, reading),
  minutes: valueThat(
    (value) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0),
    'a whole number of minutes, 0 for never',
  ),
  model: (place, setting, reading) => {
    const model = READERS.owner(place, setting, reading);
    const models = reading.known?.models.map(({ id }) => id);
    if (models === undefined || typeof model !== 'string' || models.includes(model)) return model;
    reading.report(place.path, `${setting.key} must be one of: ${models.join(', ')}`);
    return undefined;
  },
  name: ({ value, path }, { key }, { report }) => {
    const name = typeof value === 'string' ? value.trim() : '';
    if (name === '' || isLongerThan(name, LONGEST_NAME)) {
      report(path, `${key} must be a string of 1 to ${LONGEST_NAME} characters`);
      return undefined;
    }
    // It is part of the stored names of ledgers, where a line break ends it.
    if (/\p{Cc}/u.test(name)) report(path, `${key} must not contain control characters`);
    else if (textProblem(name) !== undefined) report(path, `${key} ${textProblem(name) ?? ''}`);
    return name;
  },
  owner: valueThat((value) => typeof value === 'string' && value !== '', 'a string that is not empty'),
  rotation: ({ value }) => value,
  rules: (place, _, reading) =>
    readParts('rule', place, reading).map((rule) => ({ trigger: { groups: [] }, ...rule })),
  steps: (place, _, reading) => {
    if (place.value === undefined) return undefined;
    const steps = readParts('step', place, reading);
    if (steps.length > MOST_STEPS) reading.report(place.path, `steps must be at most ${MOST_STEPS}`);
    return steps;
  },
  teams: (place, _, reading) => readMembers(place, 'name', reading),
  trigger: (place, _, { report, check }) =>
    place.value === undefined ? undefined : readTrigger(place, report, check),
  user: ({ value, path }, { key }, { report, known }) => {
    if (value === undefined || value === null) return value;
    const email = typeof value === 'string' ? normalizeEmail(value) : undefined;
    if (email !== undefined && (known === undefined || isEmail(email))) return email;
    report(path, `${key} must be the e-mail of a user, or null`);
    return undefined;
  },
  users: (place, _, reading) => readMembers(place, 'email', reading),
  word: ({ value, path }, { key, words = [] }, { report }) => {
    const word = words.find((each) => each === value);
    if (word === undefined && value !== undefined) report(path, `${key} must be one of: ${words.join(', ')}`);
    return word;
  },
};

/**
 * Validates the flat form of a router's settings (contract, section 4), and reports every error with its
 * path, such as `settings.rules[2].trigger.groups[0].conditions[0].operator`. `validateRouter` checks what
 * depends on the pool.
 */
export function parseSettings(raw: unknown, objectType: ObjectType, known: KnownSettings): SettingsResult {
  const { issues, report } = collectIssues();
  const check = conditionCheck(objectType, known, report);
  const settings = readSettings(raw, { objectType, report, check, known });
  const { ownerField } = settings;
  if (known.fields(objectType, ownerField)?.definition.type !== 'user') {
    const message = `owner_field must be a field of ${objectType} of type user: ${shownName(ownerField)} is none`;
    report('settings.owner_field', message);
  }
  return issues.length === 0 ? { ok: true, settings } : { ok: false, errors: issues };
}

/**
 * Reads stored settings, with users and teams by their names. Fields, users and options that a trigger names
 * may have been removed since, so they are not checked again.
 * @throws RangeError for settings that were never valid: ignoring a key could assign records wrongly
 */
export function restoreSettings(raw: unknown, objectType: ObjectType): RouterSettings {
  const { issues, report } = collectIssues();
  const settings = readSettings(raw, { objectType, report, check: () => undefined, known: undefined });
  if (issues.length > 0) {
    throw new RangeError(`Stored settings are invalid: ${issues.map(({ message }) => message).join('; ')}`);
  }
  return settings;
}

/** Reads settings and applies the defaults. The result is valid only if no issue was reported. */
function readSettings(raw: unknown, reading: Reading): RouterSettings {
  const { objectType } = reading;
  const read = readKeys('router', { value: raw, path: 'settings' }, reading) ?? {};
  const complete = settingsIn('router').map((setting) => [
    setting.name,
    read[setting.name] ?? defaultOf(setting, objectType),
  ]);
  return Object.fromEntries(complete) as RouterSettings;
}

/** Reads the settings of one place. Null for what is no object, which is reported. */
function readKeys(place: SettingPlace, { value: raw, path }: PlacedValue, reading: Reading): ReadKeys | null {
  const { objectType, report } = reading;
  const known = settingsIn(place).filter(({ kind }) => kind !== 'rotation' || reading.known === undefined);
  const keys = known.map(({ key }) => key);
  const values = readObject({ value: raw, path }, keys, report);
  if (values === null) return null;
  const read = known.map((setting): [string, unknown] => {
    const { key, name, only = objectType } = setting;
    const at = { value: values.get(key), path: `${path}.${key}` };
    const value = READERS[setting.kind](at, setting, reading);
    if (only !== objectType && (value ?? setting.default) !== setting.default) {
      report(at.path, `${key} is for routers of ${only} only`);
    }
    return [name, value];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

function defaultOf(setting: Setting, objectType: ObjectType): unknown {
  if (setting.kind === 'owner') return OBJECT_TYPE_RULES[objectType].ownerField;
  if (setting.kind === 'trigger') return { groups: [] };
  return setting.kind === 'rules' || setting.kind === 'steps' ? [] : setting.default;
}

function readParts(what: 'rule' | 'step', place: PlacedValue, reading: Reading): RouterPart[] {
  const { report, known } = reading;
  const [ids, names] = [new Set<string>(), new Set<string>()];
  const before = what === 'rule' ? known?.before?.rules.filter((rule) => rule.listsNobody) : undefined;
  const empty = new Set(before?.map((rule) => nameKey(rule.name)));
  const once = (seen: Set<string>, key: string, { value: name, path }: PlacedValue): void => {
    if (key !== '' && seen.has(key)) report(path, `Listed twice: ${shownName(String(name))}`);
    seen.add(key);
  };
  return readArray(place, report).flatMap((item, index): RouterPart[] => {
    const path = `${place.path}[${index}]`;
    const keys = readKeys(what, { value: item, path }, reading);
    if (keys === null) return [];
    const { refuse = false, ...read }: Partial<RouterPart> & { readonly refuse?: boolean } = keys;
    const { id, name, users, teams } = read;
    once(names, nameKey(name ?? ''), { value: name, path: `${path}.name` });
    once(ids, id ?? '', { value: id, path: `${path}.id` });
    const part = { users: [], teams: [], ...read };
    const listsNobody = (users ?? teams) !== undefined && isEmptyPool(part);
    for (const setting of refuse ? settingsIn(what) : []) {
      if (!OF_POOL.includes(setting.kind) || keys[setting.name] === undefined) continue;
      report(`${path}.${setting.key}`, `A rule with refuse assigns nobody, so it takes no ${setting.key}`);
    }
    if (!refuse && listsNobody && known !== undefined && !empty.has(nameKey(name ?? ''))) {
      report(`${path}.${users === undefined ? 'teams' : 'users'}`, LISTS_NOBODY[what]);
    }
    return [{ ...part, ...(refuse && { refuse }), ...(listsNobody && { listsNobody }) }];
  });
}

/** Reads the users or teams that a rule or step lists, by one key; undefined for what is no list. */
function readMembers(
  place: PlacedValue,
  key: 'email' | 'name',
  { report, known }: Reading,
): readonly object[] | undefined {
  const items = readArray(place, report);
  if (!Array.isArray(place.value)) return undefined;
  const what = key === 'email' ? 'the e-mail of a user' : 'the name of a team';
  return items.map((item, index) => {
    const path = `${place.path}[${index}]`;
    const values = readObject({ value: item, path }, [key, 'percentage'], report);
    if (values === null) return {};
    const given = values.get(key);
    const text = typeof given === 'string' ? given.trim() : '';
    const isNamed = key === 'email' ? isEmail(text) : text !== '';
    if (known !== undefined && !isNamed) report(`${path}.${key}`, `${key} must be ${what}`);
    const percentage = values.get('percentage');
    if (percentage !== undefined && !isPercentage(percentage)) {
      report(`${path}.percentage`, 'percentage must be a number from 0 to 100 with at most 4 decimals');
    }
    const named = key === 'email' ? { email: normalizeEmail(text) } : { name: text };
    return { ...named, ...(typeof percentage === 'number' ? { percentage } : {}) };
  });
}

function isPercentage(value: unknown): boolean {
  if (typeof value !== 'number') return false;
  const units = value * 10_000;
  return value >= 0 && value <= 100 && Math.abs(units - Math.round(units)) < 1e-6;
}

interface Configured {
  readonly objectType: ObjectType;
  readonly settings: StoredSettings | null;
}

/** Returns the stored settings of a router with the present names of users and teams; null for none. */
export function settingsOf(
  { settings, objectType }: Configured,
  directory: Directory,
): RouterSettings | null {
  return settings === null ? null : restoreSettings(withNames(settings, directory), objectType);
}

/** As `settingsOf`, in the flat form of answers and files. */
export function shownSettings(configured: Configured, directory: Directory): FlatSettings | null {
  const settings = settingsOf(configured, directory);
  return settings === null ? null : renderSettings(settings);
}

/** The owner field of a router whose settings are as they are stored. */
export function ownerFieldOf(objectType: ObjectType, settings: StoredSettings | null): string {
  const given = settings?.['owner_field'];
  return typeof given === 'string' ? given : OBJECT_TYPE_RULES[objectType].ownerField;
}

/** Renders settings. Parsing the result gives the same settings, but for what only stored ones have. */
export function renderSettings(settings: RouterSettings): FlatSettings {
  return render('router', settings, ({ kind }) => kind !== 'rotation');
}

/** As `renderSettings`, with the keys of the rotations that rules keep. `restoreSettings` reads it. */
export function renderStored(settings: RouterSettings): FlatSettings {
  return render('router', settings, () => true);
}

function render(
  place: SettingPlace,
  values: RouterSettings | RouterPart,
  isWanted: (setting: Setting) => boolean,
): FlatSettings {
  const shown = settingsIn(place).flatMap((setting): [string, unknown][] => {
    const value = (values as Readonly<Record<string, unknown>>)[setting.name];
    const isSparse = setting.sparse === true || place !== 'router';
    if (!isWanted(setting) || (isSparse && isDefault(value, setting, values))) return [];
    if (setting.kind !== 'rules' && setting.kind !== 'steps') return [[setting.key, value]];
    const part = setting.kind === 'rules' ? 'rule' : 'step';
    return [[setting.key, (value as RouterPart[]).map((each) => render(part, each, isWanted))]];
  });
  return Object.fromEntries(shown);
}

function isDefault(value: unknown, setting: Setting, of: RouterSettings | RouterPart): boolean {
  if (value === undefined || value === null) return true;
  if (setting.kind === 'trigger') return (value as Trigger).groups.length === 0;
  // A rule without steps would take those of the router, and a part without both lists its pool.
  if (setting.kind === 'steps' && 'users' in of) return false;
  if (Array.isArray(value)) return value.length === 0 && !('listsNobody' in of);
  return setting.sparse === true && value === setting.default;
}
