import type { ReportIssue } from '../model/field-issue.js';
import { isEmail, readArray, readObject, type PlacedValue } from './read-values.js';

/**
 * Reads the users or teams that a rule lists, and reports every value of the wrong form.
 * @param key the key that names a member
 */
export function readMembers(
  place: PlacedValue,
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
