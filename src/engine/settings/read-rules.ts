import { shownName } from '../../text/shown-name.js';
import { isLongerThan, textProblem } from '../../text/text-problem.js';
import type { ReportIssue } from '../model/field-issue.js';
import { ROTATION_TYPES, type RoutingRule } from '../model/router-configuration.js';
import { readMembers } from './read-members.js';
import { readTrigger, type Reading } from './read-trigger.js';
import { readArray, readObject, readOneOf, type PlacedValue } from './read-values.js';
import { normalizeEmail } from '../../text/email-key.js';

/** The most characters of the name or id of a rule. */
const LONGEST_NAME = 200;
const KEYS = [
  'id',
  'name',
  'trigger',
  'refuse',
  'users',
  'teams',
  'distribution_model',
  'rotation_type',
] as const;
/** The key of the rotation that a stored rule keeps. */
const STORED_KEYS = [...KEYS, 'rotation'] as const;
type Key = (typeof STORED_KEYS)[number];

/** The keys that say who gets a record. */
const POOL_KEYS = ['users', 'teams', 'distribution_model', 'rotation_type'] as const;

/**
 * Reads a router's rules, `[{"id", "name", "trigger", "refuse", "users", "teams", "distribution_model",
 * "rotation_type"}]`, and reports every value of the wrong form. All keys but the name are optional. Does not
 * check whether models, users and teams exist. Passes conditions of the right form to `reading.check`.
 */
export function readRules(place: PlacedValue, reading: Reading): readonly RoutingRule[] {
  const { report } = reading;
  const [ids, names] = [new Set<string>(), new Set<string>()];
  return readArray(place, report).flatMap((item, index): RoutingRule[] => {
    const path = `${place.path}[${index}]`;
    const known = reading.isStored === true ? STORED_KEYS : KEYS;
    const values = readObject({ value: item, path }, known, report);
    if (values === null) return [];
    const at = (key: Key): PlacedValue => ({ value: values.get(key), path: `${path}.${key}` });
    const name = readName(at('name'), report);
    if (name !== '' && names.has(name.toLowerCase()))
      report(`${path}.name`, `Listed twice: ${shownName(name)}`);
    names.add(name.toLowerCase());
    const id = values.has('id') ? readName(at('id'), report) : '';
    if (id !== '' && ids.has(id)) report(`${path}.id`, `Listed twice: ${shownName(id)}`);
    ids.add(id);
    const model = values.get('distribution_model') ?? null;
    if (values.has('distribution_model') && (typeof model !== 'string' || model === '')) {
      report(`${path}.distribution_model`, 'distribution_model must be a string that is not empty');
    }
    const users = readMembers(at('users'), 'email', report);
    const teams = readMembers(at('teams'), 'name', report);
    const refuses = readRefuse(values, path, report);
    const listsNobody =
      users.length + teams.length === 0 && isEmptyList(values.get('users') ?? values.get('teams'));
    const mayListNobody = reading.isStored === true || reading.emptyRules?.has(name.toLowerCase()) === true;
    if (listsNobody && !refuses && !mayListNobody) {
      report(
        `${path}.${values.has('users') ? 'users' : 'teams'}`,
        "The rule lists nobody: leave out users and teams for the router's pool, or set refuse to true",
      );
    }
    const rotationKey = values.get('rotation');
    return [
      {
        ...(id === '' ? {} : { id }),
        name,
        ...(typeof rotationKey === 'string' ? { rotationKey } : {}),
        trigger: values.has('trigger') ? readTrigger(at('trigger'), reading) : { groups: [] },
        ...(refuses ? { refuse: true as const } : {}),
        users: users.map(({ id: email, ...share }) => ({ email: normalizeEmail(email), ...share })),
        teams: teams.map(({ id: team, ...share }) => ({ name: team, ...share })),
        ...(listsNobody ? { listsNobody: true as const } : {}),
        distributionModel: typeof model === 'string' ? model : null,
        rotationType: readOneOf(at('rotation_type'), ROTATION_TYPES, report) ?? null,
      },
    ];
  });
}

/** Whether the rule refuses. Then it can have no other key that says who gets a record. */
function readRefuse(values: ReadonlyMap<string, unknown>, path: string, report: ReportIssue): boolean {
  const refuse = values.get('refuse') ?? false;
  if (typeof refuse !== 'boolean') report(`${path}.refuse`, 'refuse must be true or false');
  if (refuse !== true) return false;
  for (const key of POOL_KEYS.filter((each) => values.has(each))) {
    report(`${path}.${key}`, `A rule with refuse assigns nobody, so it takes no ${key}`);
  }
  return true;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function readName({ value, path }: PlacedValue, report: ReportIssue): string {
  const key = path.slice(path.lastIndexOf('.') + 1);
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '' || isLongerThan(name, LONGEST_NAME)) {
    report(path, `${key} must be a string of 1 to ${LONGEST_NAME} characters`);
    return '';
  }
  // It is part of the stored names of ledgers, where a line break ends it.
  if (/\p{Cc}/u.test(name)) report(path, `${key} must not contain control characters`);
  else if (textProblem(name) !== undefined) report(path, `${key} ${textProblem(name) ?? ''}`);
  return name;
}
