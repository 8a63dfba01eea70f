const PLAIN = /\/\*plain\*\/(.*?)\/\*plain\*\//gs;
const CLUSTER = /\/\*cluster (.*?) cluster\*\//gs;

/** Returns SQL as a cluster gets it. */
export const onClusterAlone = (sql: string): string => sql.replaceAll(PLAIN, '').replaceAll(CLUSTER, '$1');
const onPlainAlone = (sql: string): string => sql.replaceAll(CLUSTER, '').replaceAll(PLAIN, '$1');

/**
 * SQL that a statement has on a Citus cluster alone; a comment for plain PostgreSQL. Citus sends a statement
 * to one node where each of its parts that reads a table compares the column of the account with a parameter.
 * Plain PostgreSQL gets no such condition where it would be a reason to read the whole account (ADR 35).
 */
export const onCluster = (sql: string): string => `/*cluster ${onClusterAlone(sql)} cluster*/`;

/** SQL that a statement has on plain PostgreSQL alone: what fences its planner, and Citus refuses. */
export const butOnCluster = (sql: string): string => `/*plain*/ ${onPlainAlone(sql)} /*plain*/`;

/**
 * Returns an expression for a parameter whose value PostgreSQL does not know when it plans a statement for
 * one use. Where it knows that the value is that of few rows, such as a small account or a short array, that
 * plan costs less than the one for all values, and the statement is planned at each use, which takes longer
 * than to run it (ADR 7). A cluster needs the value: it finds the node by it.
 */
export const unknownWhenPlanned = (parameter: string): string =>
  `${butOnCluster(`(SELECT ${parameter})`)}${onCluster(parameter)}`;

/**
 * The end of a query, from its condition on, for the row with a key of an index. PostgreSQL has no choice:
 * several indexes begin with an account and a type, and where its statistics say that an account has few
 * rows, it takes any of them and reads the whole account for a row. It knows nothing of how many rows a pair
 * of bounds has, and only the index of these columns has their order. A value that it would know when it
 * plans is passed by `unknownWhenPlanned`. The first column is that of the account.
 */
export const atKey = (columns: readonly string[], values: readonly string[]): string => {
  const [key, value] = [columns.join(', '), values.join(', ')];
  const ofAccount = onCluster(`${columns[0]} = ${values[0]} AND`);
  return `${ofAccount} (${key}) >= (${value}) AND (${key}) <= (${value}) ORDER BY ${key} LIMIT 1`;
};

/**
 * Rows that an INSERT gets as an array for each column, a parameter each: `VALUES ($1, ${rows.values})` makes
 * a row of each place. A cluster keeps the plan of that, and of no INSERT … SELECT (ADR 38). A column of the
 * type json or jsonb is one JSON array.
 */
export class InsertedRows<Column extends string> {
  private readonly columns: readonly Column[];

  /** @param first the number of the first parameter @param types SQL types by column */
  constructor(
    private readonly first: number,
    private readonly types: Readonly<Record<Column, string>>,
  ) {
    this.columns = Object.keys(types) as Column[];
  }

  /** The names of the columns. */
  get names(): string {
    return this.columns.join(', ');
  }

  /** The last of the values of a single-row VALUES, in the order of the names. */
  get values(): string {
    const valueOf = (column: Column, place: number): string => {
      const [parameter, type] = [`$${this.first + place}`, this.types[column]];
      return isJson(type)
        ? `${type}_array_elements(${parameter}::${type})`
        : `unnest(${parameter}::${type}[])`;
    };
    return this.columns.map(valueOf).join(', ');
  }

  /** The number of the parameter behind these. */
  get next(): number {
    return this.first + this.columns.length;
  }

  /** The values of the parameters. */
  arraysOf(rows: readonly Readonly<Record<Column, unknown>>[]): unknown[] {
    return this.columns.map((column) => {
      const values = rows.map((row) => row[column]);
      return isJson(this.types[column]) ? JSON.stringify(values) : values;
    });
  }
}

const isJson = (type: string): boolean => type === 'json' || type === 'jsonb';
