import type { FieldError } from '../errors/domain-error.js';
import { assignedDateOf, type FieldChanges } from '../fields/index.js';

/** How large the fields of a record may be together. */
export interface RecordLimit {
  /** The most bytes of the JSON text that the database has of the fields. */
  readonly bytes: number;
  /** Names of the fields that do not count: those for long texts. */
  readonly apart: readonly string[];
}

/** The most bytes of a record that sets a long field: it stays smaller than the largest answer. */
export const WHOLE_BYTES = 7 * 1024 * 1024;

/** What a write sets and clears, and how large the record may become. */
export interface LimitedChanges {
  readonly changes: FieldChanges;
  /** The user fields among the changes, whose assigned dates are set or cleared too. */
  readonly owners: readonly string[];
  readonly limit: RecordLimit;
}

/** A date of the length that all assigned dates have. */
const ANY_DATE = new Date(0).toISOString();

/** Whether a write sets a long field. */
export function setsLongField({ changes, limit }: Pick<LimitedChanges, 'changes' | 'limit'>): boolean {
  return limit.apart.some((name) => typeof changes.get(name) === 'string');
}

/**
 * Says why a write would make a record too large, and blames the largest field sent; undefined where it
 * stays within the limits, or does not grow. @param before the stored fields; none for a create
 */
export function sizeProblem(
  before: Readonly<Record<string, string>>,
  write: LimitedChanges,
): FieldError | undefined {
  const after = new Map<string, string | null>(Object.entries(before));
  for (const [name, value] of write.changes) after.set(name, value);
  for (const owner of write.owners) {
    after.set(assignedDateOf(owner), write.changes.get(owner) === null ? null : ANY_DATE);
  }
  const exceeds = (limit: RecordLimit): boolean => {
    const bytes = bytesOfFields(after, limit);
    return bytes > limit.bytes && bytes > bytesOfFields(Object.entries(before), limit);
  };
  const { changes, limit } = write;
  if (exceeds(limit)) return tooLarge(largest(changes, limit), `${limit.bytes} bytes together`);
  const whole = { bytes: WHOLE_BYTES, apart: [] };
  if (!setsLongField(write) || !exceeds(whole)) return undefined;
  return tooLarge(largest(changes, whole), `${WHOLE_BYTES} bytes together, long fields included`);
}

function tooLarge(field: string, size: string): FieldError {
  return { field, message: `${field} would make the fields of this record larger than ${size}` };
}

/** The size of what PostgreSQL writes for jsonb: `{"a": "1", "b": "2"}`. It escapes as JavaScript does. */
function bytesOfFields(fields: Iterable<readonly [string, string | null]>, { apart }: RecordLimit): number {
  const counted = [...fields].filter(([name, value]) => value !== null && !apart.includes(name));
  return bytesOfJson(Object.fromEntries(counted)) + Math.max(0, 2 * counted.length - 1);
}

function largest(changes: FieldChanges, { apart }: RecordLimit): string {
  let [found, most] = ['', -1];
  for (const [name, value] of changes) {
    const bytes = value === null || apart.includes(name) ? 0 : bytesOfJson(value);
    if (bytes > most) [found, most] = [name, bytes];
  }
  return found;
}

function bytesOfJson(value: string | object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
