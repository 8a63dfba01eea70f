import type { DomainError } from '../../errors/domain-error.js';
import type { RecordMatcher } from '../../records/index.js';
import type { Import, ImportedRow, Values } from './imported-row.js';

type Rows = readonly ImportedRow[];

/** Says of rows what differs from their records, or why they cannot be written. */
export async function compareRows(matcher: RecordMatcher, of: Import, rows: Rows): Promise<void> {
  const { skipInvalid = new Set() } = of.target;
  await judge(matcher, of, rows);
  const attempts = rows.flatMap((row) => {
    const skipped = row.bad.filter((field) => skipInvalid.has(field));
    if (skipped.length === 0) return [];
    const unread = row.unread.filter(({ field = '' }) => !skipped.includes(field));
    return { row, skipped, rest: { ...row, fields: without(row.fields, skipped), unread } };
  });
  if (attempts.length === 0) return;
  const rests = attempts.map(({ rest }) => rest);
  await judge(matcher, of, rests);
  for (const { row, skipped, rest } of attempts) {
    // Without a value that a record must have, the row is refused for the value that it has.
    if (rest.bad.some((field) => skipped.includes(field))) continue;
    Object.assign(row, rest, rest.problem === undefined ? { skipped } : {});
  }
}

async function judge(matcher: RecordMatcher, { client, target }: Import, rows: Rows): Promise<void> {
  const { objectType, property } = target;
  for (const { row, differing, refused } of await matcher.compare(client, objectType, rows)) {
    // In a record the key stays as it is: an address has several spellings.
    const changes = row.record === undefined ? differing : without(differing ?? {}, [property]);
    const isSame = row.record !== undefined && Object.keys(changes ?? {}).length === 0;
    row.changes = isSame ? undefined : changes;
    const errors = [...(refused?.details.errors ?? []), ...row.unread];
    row.bad = errors.flatMap(({ field }) => field ?? []);
    const reasons = [...(refused ? [reasonOf(refused)] : []), ...row.unread.map(({ message }) => message)];
    row.problem = reasons.length === 0 ? undefined : reasons.join('; ');
  }
}

/** Returns the values but for some. */
export function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

/** Returns all that an error lists. */
export function reasonOf({ message, details: { errors = [], omitted = 0 } }: DomainError): string {
  if (errors.length === 0) return message;
  const more = omitted > 0 ? `; and ${omitted} more` : '';
  return `${errors.map((error) => error.message).join('; ')}${more}`;
}
