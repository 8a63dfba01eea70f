import type { ClientContext } from '../../auth/index.js';
import type { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import type { RecordMatcher, StoredRecord } from '../../records/index.js';
import type { KeyedRow } from '../rows/source-row.js';

/** A row and its record, if there is one. */
export interface MatchedRow extends KeyedRow {
  readonly record: StoredRecord | undefined;
  /** Whether the router of the import has run on it. */
  readonly isRouted: boolean;
}

/** What a row sets of its record, undefined where nothing differs; or why it cannot be written. */
export interface ComparedRow {
  readonly row: MatchedRow;
  readonly differing: Readonly<Record<string, unknown>> | undefined;
  readonly problem: string | undefined;
  /** Fields whose values are left out of the row, because they are bad. */
  readonly skipped?: readonly string[];
}

/** How rows are compared. */
interface Comparison {
  readonly objectType: ObjectType;
  /** Fields whose bad values are left out, in place of their rows. */
  readonly skipInvalid: ReadonlySet<string>;
  /** The field by which records were found. In them it stays as it is: an address has several spellings. */
  readonly property: string;
}

/** Compares rows with their records, in the order given. */
export async function comparedRows(
  { matcher, client }: { readonly matcher: RecordMatcher; readonly client: ClientContext },
  { objectType, skipInvalid, property }: Comparison,
  rows: readonly MatchedRow[],
): Promise<readonly ComparedRow[]> {
  const compare = async (some: readonly MatchedRow[]) => {
    const compared = await matcher.compare(client, objectType, some);
    return compared.map(({ row, differing, refused }) => ({
      row,
      differing: row.record === undefined ? differing : withoutKey(differing, property),
      ...whatIsWrong(row, refused),
    }));
  };
  const first = await compare(rows);
  const isLeftOut = (field: string): boolean => skipInvalid.has(field);
  const incomplete = first.filter(({ bad }) => bad.some(isLeftOut));
  if (incomplete.length === 0) return first;
  const again = await compare(incomplete.map(({ row, bad }) => withoutBad(row, bad.filter(isLeftOut))));
  const second = again.values();
  return first.map((each) => {
    const skipped = each.bad.filter(isLeftOut);
    const then = skipped.length === 0 ? each : (second.next().value ?? each);
    // Without a value that a record must have, the row is refused for the value that it has.
    const isNeeded = then.bad.some((field) => skipped.includes(field));
    return { ...(isNeeded ? each : then), skipped };
  });
}

function withoutKey(
  differing: Readonly<Record<string, unknown>> | undefined,
  property: string,
): Readonly<Record<string, unknown>> | undefined {
  if (differing === undefined || !Object.hasOwn(differing, property)) return differing;
  const others = without(differing, property);
  return Object.keys(others).length === 0 ? undefined : others;
}

/** Returns the fields but for one. */
export function without(
  fields: Readonly<Record<string, unknown>>,
  property: string,
): Readonly<Record<string, unknown>> {
  const { [property]: _, ...others } = fields;
  return others;
}

const NOTHING = { problem: undefined, bad: [] as string[] };

/** Returns why a row cannot be written, and the fields that are to blame. */
function whatIsWrong(
  { unread = [] }: KeyedRow,
  refused: DomainError | undefined,
): { readonly problem: string | undefined; readonly bad: string[] } {
  if (refused === undefined && unread.length === 0) return NOTHING;
  const errors = [...(refused?.details.errors ?? []), ...unread];
  const reasons = [...(refused ? [reasonOf(refused)] : []), ...unread.map(({ message }) => message)];
  return {
    problem: reasons.join('; '),
    bad: [...new Set(errors.flatMap(({ field }) => field ?? []))],
  };
}

function withoutBad(row: MatchedRow, names: readonly string[]): MatchedRow {
  const fields = Object.entries(row.fields).filter(([name]) => !names.includes(name));
  const unread = (row.unread ?? []).filter(({ field = '' }) => !names.includes(field));
  return { ...row, fields: Object.fromEntries(fields), unread };
}

/** Returns all that an error lists. */
export function reasonOf({ message, details: { errors = [], omitted = 0 } }: DomainError): string {
  if (errors.length === 0) return message;
  const more = omitted > 0 ? `; and ${omitted} more` : '';
  return `${errors.map((error) => error.message).join('; ')}${more}`;
}
