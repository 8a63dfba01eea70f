import type { FieldError } from '../errors/domain-error.js';
import { assignedDateOf, type FieldChanges } from '../fields/index.js';

/** How large the fields of a record may be together. */
export interface RecordLimit {
  /** The most bytes of the JSON text that the database has of the fields. */
  readonly bytes: number;
  /** Names of the fields that do not count: those for long texts. */
  readonly apart: readonly string[];
}

/** What a write sets and clears, and how large the record may become. */
export interface LimitedChanges {
  readonly changes: FieldChanges;
  /** The user fields among the changes, whose assigned dates are set or cleared too. */
  readonly owners: readonly string[];
  readonly limit: RecordLimit;
}

/** A date of the length that all assigned dates have. */
const ANY_DATE = new Date(0).toISOString();

/**
 * Says why a write would make a record too large: an error that blames the largest of the fields sent.
 * Undefined when the record stays within the limit, or does not grow.
 * @param before the stored fields of the record; none for a create
 */
export function sizeProblem(
  before: Readonly<Record<string, string>>,
  { changes, owners, limit }: LimitedChanges,
): FieldError | undefined {
  const after = new Map<string, string | null>(Object.entries(before));
  for (const [name, value] of changes) after.set(name, value);
  for (const owner of owners) {
    after.set(assignedDateOf(owner), changes.get(owner) === null ? null : ANY_DATE);
  }
  const bytes = bytesOfFields(after, limit);
  if (bytes <= limit.bytes || bytes <= bytesOfFields(Object.entries(before), limit)) return undefined;
  const field = largest(changes, limit);
  const message = `${field} would make the fields of this record larger than ${limit.bytes} bytes together`;
  return { field, message };
}

/** The size of what PostgreSQL writes for jsonb: `{"a": "1", "b": "2"}`. It escapes as JavaScript does. */
function bytesOfFields(fields: Iterable<readonly [string, string | null]>, { apart }: RecordLimit): number {
  let bytes = 2;
  let counted = 0;
  for (const [name, value] of fields) {
    if (value === null || apart.includes(name)) continue;
    counted += 1;
    bytes += bytesOfJson(name) + bytesOfJson(value) + ': '.length;
  }
  return bytes + Math.max(0, counted - 1) * ', '.length;
}

function largest(changes: FieldChanges, { apart }: RecordLimit): string {
  let [found, most] = ['', -1];
  for (const [name, value] of changes) {
    const bytes = value === null || apart.includes(name) ? 0 : bytesOfJson(value);
    if (bytes > most) [found, most] = [name, bytes];
  }
  return found;
}

function bytesOfJson(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
