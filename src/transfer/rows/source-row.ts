import type { FieldError } from '../../errors/domain-error.js';

/** What a row is written back as, where it is refused: its text, or its bytes where they are none. */
export type RowContent = string | Buffer | null;

/** Where a row of a file stands. */
export interface RowPlace {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** About how many bytes it has in the file. */
  readonly bytes: number;
  /** Null for what is too large to be kept. */
  readonly content: RowContent;
}

/** A row that could be read. */
export interface ReadRow extends RowPlace {
  /** The value of the key by which the record is found; null where the row has none. */
  readonly key: unknown;
  /** Values by internal name, as in a request body. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Why fields have cells that cannot be read; these are not among `fields`. */
  readonly unread?: readonly FieldError[];
}

/** A row of a file, or why it could not be read. */
export type SourceRow = ReadRow | (RowPlace & { readonly problem: string });

/** A row that is not imported, and why. */
export interface Rejection {
  readonly row: RowPlace;
  readonly message: string;
}

/** The rows of a file, and how those that are refused are written. */
export interface RowSource {
  readonly rows: AsyncIterable<SourceRow>;
  /** What a file of rejected rows begins with. */
  readonly heading: string;
  /** A rejected row as text or bytes, which can be corrected and imported again. */
  readonly rejected: (rejection: Rejection) => string | Buffer;
}

/**
 * Columns that the service adds: those of a file of rejected rows, and the one by which an export for
 * spreadsheets says that its cells are disarmed. An import ignores them. No field has such a name.
 */
export const OWN_COLUMNS = {
  line: '_line',
  error: '_error',
  text: '_text',
  spreadsheet: '_spreadsheet',
} as const;

/** The most bytes of a row: those that a record may have, and what quotes add. */
export const MOST_ROW_BYTES = 8 * 1024 * 1024;

/** Why a cell cannot be the value of its field. Stands where the value would. */
export class CellProblem {
  /** @param message names the field, and what it accepts */
  constructor(readonly message: string) {}
}
