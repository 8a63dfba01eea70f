/** The first word of every dump. It changes with the format. */
export const DUMP_FORMAT = 'fairlead-dump-2';

/** A table or a sequence. */
interface DumpedObject {
  /** Null for the schema that holds the table `migrations`. */
  readonly schema: string | null;
  readonly name: string;
}

interface DumpedTable extends DumpedObject {
  readonly columns: readonly string[];
}

interface DumpedSequence extends DumpedObject {
  readonly value: string;
  readonly isCalled: boolean;
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
  readonly tables: readonly DumpedTable[];
  readonly sequences: readonly DumpedSequence[];
}

/** The number of rows of a table. */
export interface TableRows {
  readonly table: string;
  readonly rows: number;
}

/** Names a table or sequence for a person. */
export function nameOf({ schema, name }: DumpedObject): string {
  return schema === null ? name : `${schema}.${name}`;
}
