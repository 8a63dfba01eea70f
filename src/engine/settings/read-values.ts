import type { ReportIssue } from '../model/field-issue.js';

/**
 * The entries of a JSON object whose keys are known; an entry that is undefined counts as left out.
 * Reports anything but an object (the result is then null) and every unknown key.
 */
export function readObject(
  raw: unknown,
  path: string,
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
      report(`${path}.${key}`, `Unknown key: ${key} (known: ${keys.join(', ')})`);
    } else if (value !== undefined) {
      values.set(key, value);
    }
  }
  return values;
}

/** The items of a JSON list; none for undefined. Reports anything else. */
export function readArray(raw: unknown, path: string, report: ReportIssue): readonly unknown[] {
  if (raw === undefined) {
    return [];
  }
  if (!Array.isArray(raw)) {
    report(path, `${path} must be a list`);
    return [];
  }
  return raw;
}

/** One of a few words; undefined where the key is left out. Reports anything else (the result is then undefined, too). */
export function readOneOf<Word extends string>(
  values: ReadonlyMap<string, unknown>,
  key: string,
  words: readonly Word[],
  path: string,
  report: ReportIssue,
): Word | undefined {
  const word = words.find((each) => each === values.get(key));
  if (word === undefined && values.has(key)) report(path, `${key} must be one of: ${words.join(', ')}`);
  return word;
}

/** Whether a value has the shape of an e-mail address. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value);
}
