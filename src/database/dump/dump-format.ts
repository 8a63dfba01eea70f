/** The columns and rows of one table in a dump. */
export interface DumpedTable {
  /** Null for the schema that holds the table `migrations`. */
  readonly schema: string | null;
  readonly name: string;
  readonly columns: readonly string[];
}

/** The state of a sequence. */
export interface DumpedSequence {
  readonly schema: string | null;
  readonly name: string;
  readonly value: string;
  readonly isCalled: boolean;
}

/** The first record of a dump. */
export interface DumpHeader {
  readonly format: string;
  /** Version of Fairlead that made the dump. */
  readonly fairlead: string;
  /** Version of PostgreSQL that it comes from (`18.4`). */
  readonly postgres: string;
  readonly createdAt: string;
  /** Names of the migrations that made its tables, in the order in which they were applied. */
  readonly migrations: readonly string[];
  /** In the order in which their rows follow and can be written. */
  readonly tables: readonly DumpedTable[];
  readonly sequences: readonly DumpedSequence[];
}

export const DUMP_FORMAT = 'fairlead-dump-1';

/**
 * A dump is a gzip file of records, each with its kind (one byte), the length of its contents (four bytes,
 * the highest first), and its contents.
 */
export const RECORD = {
  /** JSON of a `DumpHeader`. */
  header: 'H',
  /** Rows of the present table, in the text format of COPY. A row may go on in the next record. */
  rows: 'D',
  /** JSON number of rows: the table is complete, and the next one follows. */
  tableEnd: 'T',
  /** SHA-256 of all bytes before this record, in hexadecimal digits. Nothing follows it. */
  end: 'E',
} as const;

/** One record of a dump. */
export interface DumpRecord {
  readonly kind: string;
  readonly content: Buffer;
}

/** Most bytes of the contents of a record. */
export const MAX_CONTENT = 1024 * 1024;

export const RECORD_HEAD = 5;

/** Returns the bytes of a record. */
export function encodeRecord({ kind, content }: DumpRecord): Buffer {
  const head = Buffer.alloc(RECORD_HEAD);
  head.write(kind, 'latin1');
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** Names a table or sequence of a dump for a person. */
export function nameOf({ schema, name }: Pick<DumpedTable, 'name' | 'schema'>): string {
  return schema === null ? name : `${schema}.${name}`;
}

/** Returns the error of a file that is no dump, or is damaged. */
export function notWhole(path: string, reason: string): Error {
  return new Error(`${path} is not a whole dump made by \`fairlead dump\`: ${reason}`);
}
