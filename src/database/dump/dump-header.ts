import { isId } from '../../text/is-id.js';
import { isPlainObject } from '../../text/is-plain-object.js';

/** The first word of every dump. It changes with the format. */
export const DUMP_FORMAT = 'fairlead-dump-2';

/** A table or a sequence. */
interface DumpedObject {
  /** Null for the schema that holds the table `migrations`. */
  readonly schema: string | null;
  readonly name: string;
}

/**
 * The first line of a dump, as JSON. A dump is a gzip file of this line and, for each table, the rows in the
 * text format of COPY and a line with `\.` and their number. No row begins with `\.`.
 */
export interface DumpHeader {
  readonly format: string;
  /** Version of Fairlead that made the dump. */
  readonly fairlead: string;
  readonly createdAt: string;
  /** The account whose rows alone it holds; undefined for those of the whole installation. */
  readonly account?: { readonly id: string; readonly slug: string } | undefined;
  /** Names of the migrations that made its tables, in the order in which they were applied. */
  readonly migrations: readonly string[];
  /** In the order in which their rows follow and can be written. */
  readonly tables: readonly (DumpedObject & { readonly columns: readonly string[] })[];
  readonly sequences: readonly (DumpedObject & { readonly value: string; readonly isCalled: boolean })[];
}

type Rule = (value: unknown) => boolean;

const like =
  (pattern: RegExp): Rule =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const listOf =
  (rule: Rule, least = 0): Rule =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(rule);
const objectOf =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value) =>
    isPlainObject(value) && Object.entries(rules).every(([key, rule]) => rule(value[key]));

/** What PostgreSQL takes as a name. */
const isName = like(/^[^\0]+$/);
const NAMED = { schema: (value: unknown) => value === null || isName(value), name: isName };
const isAccount = objectOf({ id: (value) => typeof value === 'string' && isId(value), slug: isName });

/** The rule of each key of a header. */
export const HEADER_RULES: Readonly<Record<keyof DumpHeader, Rule>> = {
  format: like(/^fairlead-dump-\d{1,9}$/),
  fairlead: like(/^[\w.+-]{1,100}$/),
  createdAt: like(/./),
  account: (value) => value === undefined || isAccount(value),
  migrations: listOf(like(/./), 1),
  tables: listOf(objectOf({ ...NAMED, columns: listOf(isName) }), 1),
  sequences: listOf(
    objectOf({ ...NAMED, value: like(/^-?\d{1,19}$/), isCalled: (value) => typeof value === 'boolean' }),
  ),
};

/** The number of rows of a table. */
export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** Names a table or sequence for a person. */
export function nameOf({ schema, name }: DumpedObject): string {
  return schema === null ? name : `${schema}.${name}`;
}
