import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { nearestName } from '../../text/nearest-name.js';
import { shownName } from '../../text/shown-name.js';
import { REJECT_COLUMNS, type ReadRow } from './source-row.js';

/** What the columns of a file are compared with. */
export interface ColumnRules {
  /** Internal names of the fields that can be set. */
  readonly fields: readonly string[];
  /** Whether only the service sets a field: such a column is ignored. */
  readonly isManaged: (name: string) => boolean;
  /** The field by which records are found, or `id`. */
  readonly key: string;
  /** Fields by heading; an empty one ignores the column. */
  readonly map: ReadonlyMap<string, string>;
}

/** What a column is for: a field, the key `id`, nothing, or what says that a record is archived. */
export type ColumnUse = { readonly field: string } | 'id' | 'ignored' | 'archived' | 'unknown';

const ALWAYS_IGNORED: ReadonlySet<string> = new Set(Object.values(REJECT_COLUMNS));

/** The columns of files: what each is for, by its heading. */
export class Columns {
  private readonly fields: ReadonlySet<string>;

  /** @throws DomainError 400 for a map that names a field that does not exist */
  constructor(private readonly rules: ColumnRules) {
    this.fields = new Set(rules.fields);
    const wrong = [...rules.map].filter(([, field]) => field !== '' && this.useOf(field) === 'unknown');
    if (wrong.length > 0)
      throw invalid(wrong.map(([heading, field]) => this.unknown(field, `--map ${shownName(heading)}=`)));
  }

  get key(): string {
    return this.rules.key;
  }

  /** Returns what a column is for. */
  use(heading: string): ColumnUse {
    const mapped = this.rules.map.get(heading);
    if (mapped === '') return 'ignored';
    return this.useOf(mapped ?? heading);
  }

  /**
   * Returns what each column of a file with headings is for.
   * @throws DomainError 400 that lists every unknown column, those that set the same field, the mapped ones
   *   that are not there, and the missing key
   */
  resolve(headings: readonly string[]): readonly ColumnUse[] {
    const uses = headings.map((heading) => this.use(heading));
    const errors: FieldError[] = [];
    const seen = new Set<string>();
    for (const [index, use] of uses.entries()) {
      const heading = headings[index] ?? '';
      if (use === 'unknown') errors.push(this.unknown(heading));
      const name = typeof use === 'object' ? use.field : use;
      if (typeof use !== 'object' && use !== 'id') continue;
      if (seen.has(name)) errors.push({ message: `Two columns are for ${name}` });
      seen.add(name);
    }
    for (const heading of this.rules.map.keys()) {
      if (!headings.includes(heading))
        errors.push({ message: `There is no column ${shownName(heading)}, which --map names` });
    }
    if (!seen.has(this.key)) errors.push({ message: `There is no column for the key ${this.key}` });
    if (errors.length > 0) throw listed(errors);
    return uses;
  }

  /** Says that there is no such column, and which one may be meant. */
  unknown(heading: string, prefix = ''): FieldError {
    const near = nearestName(heading, this.rules.fields);
    const meant = near === undefined ? '' : ` (did you mean ${near}?)`;
    return { message: `Unknown column: ${prefix}${shownName(heading)}${meant}` };
  }

  private useOf(name: string): ColumnUse {
    if (this.fields.has(name)) return { field: name };
    if (name === 'id' && this.key === 'id') return 'id';
    if (name === 'archived') return 'archived';
    return ALWAYS_IGNORED.has(name) || this.rules.isManaged(name) ? 'ignored' : 'unknown';
  }
}

function listed(errors: readonly FieldError[]): DomainError {
  const message = errors.map((error) => error.message).join('\n');
  return new DomainError('invalid_request', message, { errors });
}

/** A value of a row, and what its column is for. */
export type RowValue = readonly [use: ColumnUse, value: unknown];

const NOT_ARCHIVED: readonly unknown[] = ['', 'false', false, null];

/** Returns what a row sets, or why it cannot be imported. */
export function rowValues(
  values: Iterable<RowValue>,
  columns: Columns,
): Pick<ReadRow, 'key' | 'fields'> | { readonly problem: string } {
  const fields: Record<string, unknown> = {};
  let id: unknown = null;
  for (const [use, value] of values) {
    if (typeof use === 'object') fields[use.field] = value;
    else if (use === 'id') id = value;
    else if (use === 'archived' && !NOT_ARCHIVED.includes(typeof value === 'string' ? value.trim() : value))
      return { problem: 'Archived records are not imported' };
  }
  const key = columns.key === 'id' ? id : Object.hasOwn(fields, columns.key) ? fields[columns.key] : null;
  return { key: key ?? null, fields };
}
