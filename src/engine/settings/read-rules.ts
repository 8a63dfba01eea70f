import { isLongerThan, textProblem } from '../../text/text-problem.js';
import type { ReportIssue } from '../model/field-issue.js';
import { ROTATION_TYPES, type RoutingRule } from '../model/router-configuration.js';
import { readTrigger, type CheckCondition } from './read-trigger.js';
import { isEmail, readArray, readObject, readOneOf } from './read-values.js';

/** Most characters of the name of a rule. */
const LONGEST_NAME = 200;
const KEYS = ['name', 'trigger', 'users', 'teams', 'distribution_model', 'rotation_type'] as const;

/**
 * Reads the shape of a router's rules, `[{"name", "trigger", "users", "teams", "distribution_model", "rotation_type"}]`,
 * reporting everything out of shape; all but the name may be left out. Whether models, users and teams exist is not
 * looked at; conditions of sound shape go to `check`.
 */
export function readRules(
  raw: unknown,
  path: string,
  report: ReportIssue,
  check: CheckCondition,
): readonly RoutingRule[] {
  const names = new Set<string>();
  return readArray(raw, path, report).flatMap((item, index): RoutingRule[] => {
    const place = `${path}[${index}]`;
    const values = readObject(item, place, KEYS, report);
    if (values === null) return [];
    const name = readName(values.get('name'), `${place}.name`, report);
    if (name !== '' && names.has(name.toLowerCase())) report(`${place}.name`, `Listed twice: ${name}`);
    names.add(name.toLowerCase());
    const model = values.get('distribution_model') ?? null;
    if (values.has('distribution_model') && (typeof model !== 'string' || model === '')) {
      report(`${place}.distribution_model`, 'distribution_model must be a string that is not empty');
    }
    return [
      {
        name,
        trigger: values.has('trigger')
          ? readTrigger(values.get('trigger'), `${place}.trigger`, report, check)
          : { groups: [] },
        users: readMembers(values.get('users'), `${place}.users`, 'email', report).map(
          ({ id, ...share }) => ({ email: id.toLowerCase(), ...share }),
        ),
        teams: readMembers(values.get('teams'), `${place}.teams`, 'name', report).map(({ id, ...share }) => ({
          name: id,
          ...share,
        })),
        distributionModel: typeof model === 'string' ? model : null,
        rotationType:
          readOneOf(values, 'rotation_type', ROTATION_TYPES, `${place}.rotation_type`, report) ?? null,
      },
    ];
  });
}

function readName(raw: unknown, path: string, report: ReportIssue): string {
  const name = typeof raw === 'string' ? raw.trim() : '';
  if (name === '' || isLongerThan(name, LONGEST_NAME)) {
    report(path, `name must be a string of 1 to ${LONGEST_NAME} characters`);
    return '';
  }
  // Rotations are stored under the name, and a line break ends it there.
  if (/\p{Cc}/u.test(name)) report(path, 'name must not contain control characters');
  else if (textProblem(name) !== undefined) report(path, `name ${textProblem(name) ?? ''}`);
  return name;
}

function readMembers(
  raw: unknown,
  path: string,
  key: 'email' | 'name',
  report: ReportIssue,
): { readonly id: string; readonly percentage?: number }[] {
  return readArray(raw, path, report).flatMap((item, index) => {
    const place = `${path}[${index}]`;
    const values = readObject(item, place, [key, 'percentage'], report);
    if (values === null) return [];
    const given = values.get(key);
    const id = typeof given === 'string' ? given.trim() : '';
    if (key === 'email' ? !isEmail(id) : id === '') {
      report(
        `${place}.${key}`,
        `${key} must be ${key === 'email' ? 'the e-mail of a user' : 'the name of a team'}`,
      );
    }
    const percentage = values.get('percentage');
    if (percentage !== undefined && typeof percentage !== 'number') {
      report(`${place}.percentage`, 'percentage must be a number from 0 to 100 with at most 4 decimals');
    }
    return [{ id, ...(typeof percentage === 'number' ? { percentage } : {}) }];
  });
}
