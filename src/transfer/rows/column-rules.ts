import type { FieldDefinition } from '../../fields/index.js';
import type { CellRules } from '../values/cell-reader.js';

/** What the columns of a file are compared with. */
export interface ColumnRules {
  /** The fields that can be set. */
  readonly fields: readonly FieldDefinition[];
  /** Whether only the service sets a field: such a column is ignored. */
  readonly isManaged: (name: string) => boolean;
  /** The field by which records are found, or `id`. */
  readonly key: string;
  /** Fields by heading; an empty one ignores the column. */
  readonly map: ReadonlyMap<string, string>;
  /**
   * The same for headings that the file need not have, of fields that the type need not have. They give way
   * to other columns for a field.
   */
  readonly preset?: ReadonlyMap<string, string>;
  /** Texts of fields that are the same in all rows. */
  readonly constants?: ReadonlyMap<string, string>;
  /** Ignores columns of which nothing is known. */
  readonly ignoreUnknown?: boolean;
  /** How cells are written. */
  readonly cells?: CellRules;
}
