import { errorCode } from '../errors.js';

/** What PostgreSQL says about a value. */
interface Refusal {
  /** Of a constraint, the table. */
  readonly table?: string | undefined;
  /** Where a row comes from: `COPY users, line 3, column id: "x"`. */
  readonly where?: string | undefined;
}

/** Values, constraints, and limits of PostgreSQL. */
const REFUSED = /^(22|23|54)/;

/**
 * Returns an error that says that the database does not take what is in the dump.
 * @param what what it is, where the error does not name a table. Default: the rows
 * @returns any other error as it is
 */
export function refusedRows(error: unknown, what?: string): unknown {
  if (!(error instanceof Error) || !REFUSED.test(errorCode(error) ?? '')) return error;
  const { table, where } = error as Refusal;
  const [, line] = /\bline (\d+)/.exec(where ?? '') ?? [];
  const refused = what ?? (table === undefined ? 'its rows' : `its rows of the table ${table}`);
  const place = line === undefined ? '' : `, in line ${line}`;
  return new Error(`The database does not take ${refused}${place}: ${error.message}`, { cause: error });
}
