import { namesOfUsers } from '../../directory/index.js';
import { canonicalText } from '../../text/canonical-text.js';
import { textProblem } from '../../text/text-problem.js';
import { UNKNOWN_TEXT, type MeantOwners } from './condition.js';
import type { SearchedField } from './searched-field.js';
import type { SqlValues } from './sql-values.js';

/** What the indexes of a search may be used for. */
export interface Narrowing {
  /** Whether archived records are searched too: the indexes of keys and owners have none. */
  readonly archived: boolean;
}

/** A condition that an index finds. */
export interface NarrowedSql {
  readonly sql: string;
  /** Of what the index is. */
  readonly column: 'key' | 'owner';
  /** Undefined for a key. */
  readonly owners: MeantOwners | undefined;
}

/**
 * Returns a condition that holds for every record whose value equals one of the operands, and is found by an
 * index of the column that repeats the field. Undefined where there is none.
 */
export function narrowing(
  { column }: SearchedField,
  operands: readonly string[],
  { values, narrowing: { archived } }: { readonly values: SqlValues; readonly narrowing: Narrowing },
): NarrowedSql | undefined {
  if (column === undefined || archived) return undefined;
  if (operands.some((operand) => textProblem(operand) !== undefined)) return undefined;
  const texts = operands.map(canonicalText);
  const owners = { emails: texts, like: [...texts, UNKNOWN_TEXT] };
  const spelled = values.add(texts, 'text[]');
  const like = values.add(owners.like, 'text[]');
  if (column === 'owner') {
    const names = namesOfUsers('$1', emailIn(spelled, like));
    return { sql: `r.owner = ANY (ARRAY(${names}) || ${spelled})`, column, owners };
  }
  const key = `r.${column}`;
  // A key is stored as it is compared, or it is in the index of the others.
  const odd = `${key} IS NOT NULL AND search_text(${key}) <> ${key} AND search_text(${key}) = ANY (${like})`;
  return { sql: `(${key} = ANY (${spelled}) OR (${odd}))`, column: 'key', owners: undefined };
}

/**
 * A condition on an e-mail: that its form is one of some texts. Most e-mails are stored in that form, which
 * is found out faster than the form.
 * @param spelled SQL for the texts @param like SQL for the texts and UNKNOWN_TEXT
 */
export const emailIn =
  (spelled: string, like: string) =>
  (email: string): string =>
    `(${email} = ANY (${spelled}) OR ((${email} ~ '[^!-~]' OR ${email} <> lower(${email} COLLATE "C"))
      AND search_text(${email}) = ANY (${like})))`;
