import { OBJECT_TYPE_RULES } from '../../fields/catalog/object-type-rules.js';
import type { ObjectType } from '../../fields/object-type.js';
import {
  NO_RULE_MATCHED,
  ROTATION_TYPES,
  UNAVAILABLE_OWNER,
  type RouterSettings,
} from '../model/router-configuration.js';
import { isEmail, readObject, readOneOf } from './read-values.js';
import { readRules } from './read-rules.js';
import { readTrigger, type Reading } from './read-trigger.js';
import { normalizeEmail } from '../../text/email-key.js';

/** The keys of the flat form (contract, section 4). */
const KEYS = [
  'owner_field',
  'overwrite',
  'overwrite_if_unavailable',
  'distribution_model',
  'rotation_type',
  'default_user',
  'default_user_must_be_available',
  'disable_default_assignment',
  'ignore_working_hours',
  'account_matching',
  'account_matching_unavailable_owner',
  'reimburse_within_minutes',
  'trigger',
  'rules',
  'no_rule_matched',
] as const;
type Key = (typeof KEYS)[number];

/**
 * Reads the flat form of a router's settings, applies the defaults and reports every value of the wrong form.
 * Does not check whether fields, operators, operands and the model exist; passes conditions to
 * `reading.check`. The result is valid only if no issue was reported.
 */
export function readSettings(raw: unknown, objectType: ObjectType, reading: Reading): RouterSettings {
  const { report } = reading;
  const values: ReadonlyMap<string, unknown> =
    readObject({ value: raw, path: 'settings' }, KEYS, report) ?? new Map();
  const at = (key: Key) => ({ value: values.get(key), path: `settings.${key}` });
  const complain = (key: Key, rule: string) => report(`settings.${key}`, `${key} must be ${rule}`);

  const flag = (key: Key): boolean => {
    const value = values.has(key) ? values.get(key) : false;
    if (typeof value !== 'boolean') complain(key, 'true or false');
    return value === true;
  };
  const word = (key: Key, fallback: string): string => {
    const value = values.has(key) ? values.get(key) : fallback;
    if (typeof value === 'string' && value !== '') return value;
    complain(key, 'a string that is not empty');
    return fallback;
  };
  const accountMatching = flag('account_matching');
  if (accountMatching && objectType !== 'contacts') {
    report('settings.account_matching', 'account_matching is for routers of contacts only');
  }
  const oneOf = <Word extends string>(key: Key, words: readonly [Word, ...Word[]]): Word =>
    readOneOf(at(key), words, report) ?? words[0];

  const minutes = values.get('reimburse_within_minutes') ?? 0;
  if (typeof minutes !== 'number' || !Number.isSafeInteger(minutes) || minutes < 0) {
    complain('reimburse_within_minutes', 'a whole number of minutes, 0 for never');
  }

  const backup = values.get('default_user') ?? null;
  const defaultUser = typeof backup === 'string' ? normalizeEmail(backup) : null;
  if (backup !== null && !isEmail(defaultUser)) {
    complain('default_user', 'the e-mail of a user, or null');
  }
  return {
    ownerField: word('owner_field', OBJECT_TYPE_RULES[objectType].ownerField),
    overwrite: flag('overwrite'),
    overwriteIfUnavailable: flag('overwrite_if_unavailable'),
    distributionModel: word('distribution_model', 'round robin'),
    rotationType: oneOf('rotation_type', ROTATION_TYPES),
    defaultUser,
    defaultUserMustBeAvailable: flag('default_user_must_be_available'),
    disableDefaultAssignment: flag('disable_default_assignment'),
    ignoreWorkingHours: flag('ignore_working_hours'),
    accountMatching,
    unavailableOwner: oneOf('account_matching_unavailable_owner', UNAVAILABLE_OWNER),
    reimburseWithinMinutes: typeof minutes === 'number' ? minutes : 0,
    trigger: values.has('trigger') ? readTrigger(at('trigger'), reading) : { groups: [] },
    rules: readRules(at('rules'), reading),
    noRuleMatched: oneOf('no_rule_matched', NO_RULE_MATCHED),
  };
}
