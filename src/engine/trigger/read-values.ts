import type { ReportIssue } from '../model/field-issue.js';
import { shownName } from '../../text/shown-name.js';

/** A value of a configuration and its path, such as `settings.rules[2].users`. */
export interface PlacedValue {
  readonly value: unknown;
  readonly path: string;
}

/**
 * The entries of a JSON object with known keys. An undefined entry counts as left out. Reports every unknown
 * key, and anything that is not an object; the result is then null.
 */
export function readObject(
  { value: raw, path }: PlacedValue,
  keys: readonly string[],
  report: ReportIssue,
): ReadonlyMap<string, unknown> | null {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    report(path, `${path} must be an object`);
    return null;
  }
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(raw)) {
    if (!keys.includes(key)) {
      const name = shownName(key);
      report(`${path}.${name}`, `Unknown key: ${name} (known: ${keys.join(', ')})`);
    } else if (value !== undefined) {
      values.set(key, value);
    }
  }
  return values;
}

/** The items of a JSON list; empty for undefined. Reports anything else. */
export function readArray({ value, path }: PlacedValue, report: ReportIssue): readonly unknown[] {
  if (value === undefined) {
    return [];
  }
  if (!Array.isArray(value)) {
    report(path, `${path} must be a list`);
    return [];
  }
  return value;
}

/** Whether a value has the form of an e-mail address. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value);
}
