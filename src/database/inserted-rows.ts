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
