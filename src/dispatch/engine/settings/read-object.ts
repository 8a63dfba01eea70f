import type { ReportIssue } from '../field-issue.js';

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
