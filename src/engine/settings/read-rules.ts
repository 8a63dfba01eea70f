import { isLongerThan, textProblem } from '../../text/text-problem.js';
import type { ReportIssue } from '../model/field-issue.js';
import { ROTATION_TYPES, type RoutingRule } from '../model/router-configuration.js';
import { readTrigger, type Reading } from './read-trigger.js';
import { isEmail, readArray, readObject, readOneOf, type Located } from './read-values.js';
import { normalizeEmail } from '../../text/email-key.js';

/** The most characters of the name of a rule. */
const LONGEST_NAME = 200;
const KEYS = ['name', 'trigger', 'users', 'teams', 'distribution_model', 'rotation_type'] as const;

/**
 * Reads a router's rules, `[{"name", "trigger", "users", "teams", "distribution_model", "rotation_type"}]`,
 * and reports every value of the wrong form. All keys but the name are optional. Does not check whether
 * models, users and teams exist. Passes conditions of the right form to `reading.check`.
 */
export function readRules(place: Located, reading: Reading): readonly RoutingRule[] {
  const { report } = reading;
  const names = new Set<string>();
  return readArray(place, report).flatMap((item, index): RoutingRule[] => {
    const path = `${place.path}[${index}]`;
    const values = readObject({ value: item, path }, KEYS, report);
    if (values === null) return [];
    const at = (key: (typeof KEYS)[number]): Located => ({ value: values.get(key), path: `${path}.${key}` });
    const name = readName(at('name'), report);
    if (name !== '' && names.has(name.toLowerCase())) report(`${path}.name`, `Listed twice: ${name}`);
    names.add(name.toLowerCase());
    const model = values.get('distribution_model') ?? null;
    if (values.has('distribution_model') && (typeof model !== 'string' || model === '')) {
      report(`${path}.distribution_model`, 'distribution_model must be a string that is not empty');
    }
    return [
      {
        name,
        trigger: values.has('trigger') ? readTrigger(at('trigger'), reading) : { groups: [] },
        users: readMembers(at('users'), 'email', report).map(({ id, ...share }) => ({
          email: normalizeEmail(id),
          ...share,
        })),
        teams: readMembers(at('teams'), 'name', report).map(({ id, ...share }) => ({ name: id, ...share })),
        distributionModel: typeof model === 'string' ? model : null,
        rotationType: readOneOf(at('rotation_type'), ROTATION_TYPES, report) ?? null,
      },
    ];
  });
}

function readName({ value, path }: Located, report: ReportIssue): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '' || isLongerThan(name, LONGEST_NAME)) {
    report(path, `name must be a string of 1 to ${LONGEST_NAME} characters`);
    return '';
  }
  // The name is part of the stored names of ledgers, where a line break ends it.
  if (/\p{Cc}/u.test(name)) report(path, 'name must not contain control characters');
  else if (textProblem(name) !== undefined) report(path, `name ${textProblem(name) ?? ''}`);
  return name;
}

function readMembers(
  place: Located,
  key: 'email' | 'name',
  report: ReportIssue,
): { readonly id: string; readonly percentage?: number }[] {
  return readArray(place, report).flatMap((item, index) => {
    const path = `${place.path}[${index}]`;
    const values = readObject({ value: item, path }, [key, 'percentage'], report);
    if (values === null) return [];
    const given = values.get(key);
    const id = typeof given === 'string' ? given.trim() : '';
    if (key === 'email' ? !isEmail(id) : id === '') {
      report(
        `${path}.${key}`,
        `${key} must be ${key === 'email' ? 'the e-mail of a user' : 'the name of a team'}`,
      );
    }
    const percentage = values.get('percentage');
    if (percentage !== undefined && typeof percentage !== 'number') {
      report(`${path}.percentage`, 'percentage must be a number from 0 to 100 with at most 4 decimals');
    }
    return [{ id, ...(typeof percentage === 'number' ? { percentage } : {}) }];
  });
}
