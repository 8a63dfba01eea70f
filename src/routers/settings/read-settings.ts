import { readTrigger } from '../../engine/trigger/parse-trigger.js';
import { isEmail, readObject, type PlacedValue } from '../../engine/trigger/read-values.js';
import type { RouterSettings } from '../../engine/model/router-configuration.js';
import {
  settingsIn,
  type Setting,
  type SettingKind,
  type SettingPlace,
} from '../../engine/model/setting-keys.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { normalizeEmail } from '../../text/email-key.js';
import { isLongerThan, textProblem } from '../../text/text-problem.js';
import { readMembers, readParts, type ReadKeys, type Reading } from './read-parts.js';

/** Reads a setting and reports a value of the wrong form. @returns undefined for that and for none */
type Reader = (place: PlacedValue, setting: Setting, reading: Reading) => unknown;

/** Most steps of a router or rule. */
const MOST_STEPS = 20;

/** Most characters of the name or id of a rule or step. */
const LONGEST_NAME = 200;

const READERS: Readonly<Record<SettingKind, Reader>> = {
  flag: ({ value, path }, { key }, { report }) => {
    if (typeof value === 'boolean' || value === undefined) return value;
    report(path, `${key} must be true or false`);
    return undefined;
  },
  id: (place, setting, reading) =>
    place.value === undefined ? undefined : READERS.name(place, setting, reading),
  minutes: ({ value, path }, { key }, { report }) => {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    report(path, `${key} must be a whole number of minutes, 0 for never`);
    return undefined;
  },
  model: (place, setting, reading) => {
    const { models, report } = reading;
    const model = READERS.owner(place, setting, reading);
    if (models === undefined || typeof model !== 'string' || models.includes(model)) return model;
    report(place.path, `${setting.key} must be one of: ${models.join(', ')}`);
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
  owner: ({ value, path }, { key }, { report }) => {
    if ((typeof value === 'string' && value !== '') || value === undefined) return value;
    report(path, `${key} must be a string that is not empty`);
    return undefined;
  },
  rotation: ({ value }) => value,
  rules: (place, _, reading) => {
    const readRule = (at: PlacedValue): ReadKeys | null => readKeys('rule', at, reading);
    const rules = readParts(place, reading, { what: 'rule', readKeys: readRule });
    return rules.map((rule) => ({ trigger: { groups: [] }, ...rule }));
  },
  steps: (place, _, reading) => {
    if (place.value === undefined) return undefined;
    const readStep = (at: PlacedValue): ReadKeys | null => readKeys('step', at, reading);
    const steps = readParts(place, reading, { what: 'step', readKeys: readStep });
    if (steps.length > MOST_STEPS) reading.report(place.path, `steps must be at most ${MOST_STEPS}`);
    return steps;
  },
  teams: (place, _, reading) => readMembers(place, 'name', reading),
  trigger: (place, _, { report, check }) =>
    place.value === undefined ? undefined : readTrigger(place, report, check),
  user: ({ value, path }, { key }, { report, isStored }) => {
    if (value === undefined || value === null) return value;
    const email = typeof value === 'string' ? normalizeEmail(value) : undefined;
    if (email !== undefined && (isStored === true || isEmail(email))) return email;
    report(path, `${key} must be the e-mail of a user, or null`);
    return undefined;
  },
  users: (place, _, reading) => readMembers(place, 'email', reading),
  waiting: ({ value, path }, { key }, { report }) => {
    if (value !== undefined) report(path, `${key} is for records that wait, which needs when_nobody: hold`);
    return undefined;
  },
  word: ({ value, path }, { key, words = [] }, { report }) => {
    const word = words.find((each) => each === value);
    if (word === undefined && value !== undefined) report(path, `${key} must be one of: ${words.join(', ')}`);
    return word;
  },
};

/**
 * Reads the flat form of a router's settings, applies the defaults and reports every value of the wrong form.
 * Does not check whether fields, operators and operands exist; passes conditions to `reading.check`. The
 * result is valid only if no issue was reported.
 */
export function readSettings(raw: unknown, reading: Reading): RouterSettings {
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
  const known = settingsIn(place).filter(({ kind }) => kind !== 'rotation' || reading.isStored === true);
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
