import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { invalid, MAX_ERRORS } from '../../errors/errors.js';
import type { FieldDefinition } from '../../fields/index.js';
import { didYouMean } from '../../text/nearest-name.js';
import { shownName } from '../../text/shown-name.js';
import { CellProblem, OWN_COLUMNS, type ReadRow } from './source-row.js';
import { readBool, readerOf, type CellRules, type ValueReader } from '../values/cell-reader.js';
import { FieldNames, headingKey, snakeCase } from './field-names.js';

/** What the columns of a file are compared with. */
export interface ColumnRules {
  /** The fields that can be set. */
  readonly fields: readonly FieldDefinition[];
  /** Whether only the service sets a field: such a column is ignored. */
  readonly isManaged: (name: string) => boolean;
  /** The field by which records are found, or `id`. */
  readonly key: string;
  /** Fields by heading; an empty one ignores the column. */
  readonly map?: Names | undefined;
  /** The same for headings that the file, of fields that the type need not have: others go before them. */
  readonly preset?: Names | undefined;
  /** Texts of fields that are the same in all rows. */
  readonly constants?: Names | undefined;
  /** Ignores columns of which nothing is known. */
  readonly ignoreUnknown?: boolean | undefined;
  /** How cells are written. */
  readonly cells?: CellRules;
}

type Names = ReadonlyMap<string, string>;

/** A column for a field. */
export interface FieldUse extends ValueReader {
  readonly field: string;
}

/**
 * What a column is for: a field, the key `id`, nothing, or what says that a record is archived. `system`:
 * nothing, which is told: what only the service sets, spelled otherwise, and what a preset leaves out.
 */
export type ColumnUse = FieldUse | 'id' | 'ignored' | 'archived' | 'system' | 'unknown';

/** What is known of a heading. */
interface Column {
  readonly use: ColumnUse;
  /** Why an unknown column cannot be imported; nothing where it is ignored. */
  readonly problems: readonly FieldError[];
}

const ALWAYS_IGNORED: ReadonlySet<string> = new Set(Object.values(OWN_COLUMNS));

const NONE: Names = new Map();

/** The most headings that are remembered, and their characters: lines of JSON may have ever new ones. */
const MOST = { headings: 1_000, characters: 1_000 };

/** The columns of files: what each is for, by its heading. */
export class Columns {
  private readonly names: FieldNames;
  /** What is mapped, by the form in which headings are compared. */
  private mapped: Names;
  private readonly preset: Names;
  private readonly known = new Map<string, Column>();
  /** Values of fields that are the same in all rows. */
  readonly constants: ReadonlyMap<string, unknown>;

  /** @throws DomainError 400 for a map or a constant that names a field that does not exist */
  constructor(private readonly rules: ColumnRules) {
    const { fields, map = NONE, preset = NONE, constants = NONE } = rules;
    this.names = new FieldNames(fields);
    this.mapped = byKey(map);
    this.preset = byKey([...preset].filter(([, name]) => name === '' || this.useOf(name) !== 'unknown'));
    const wrongMaps = [...map].filter(([, name]) => name !== '' && this.useOf(name) === 'unknown');
    const wrongConstants = [...constants.keys()].filter((name) => this.fieldNamed(name) === undefined);
    const errors = [
      ...wrongMaps.map(([heading, name]) => this.problem(name, { option: `--map ${shownName(heading)}=` })),
      ...wrongConstants.map((name) => this.problem(name, { option: '--set ' })),
    ];
    if (errors.length > 0) throw listed(errors);
    const given = new Map<string, unknown>();
    for (const [name, text] of constants) {
      const { field, cell } = this.useOf(name) as FieldUse;
      if (given.has(field)) throw invalid([{ message: `--set sets ${field} twice` }]);
      const value = cell(text);
      if (value instanceof CellProblem) throw invalid([{ message: `--set: ${value.message}` }]);
      given.set(field, value);
    }
    this.constants = given;
  }

  /** The field by which records are found, or `id`. */
  get key(): string {
    return this.rules.key;
  }

  /** Returns the internal name of the field that a name or a label means; undefined where it means none. */
  fieldNamed(name: string): string | undefined {
    const use = this.useOf(name);
    return typeof use === 'object' ? use.field : undefined;
  }

  /** What each heading that was met is for, in their order; at most 1,000. */
  get met(): ReadonlyMap<string, ColumnUse> {
    return new Map([...this.known].map(([heading, { use }]) => [heading, use]));
  }

  /** The headings that were met and are ignored, though nobody has said so. */
  get ignored(): readonly string[] {
    const isTold = ({ use, problems }: Column): boolean =>
      use === 'system' || (use === 'unknown' && problems.length === 0);
    return [...this.known].filter(([, column]) => isTold(column)).map(([heading]) => heading);
  }

  /** Returns what a column is for. Unknown is also one that may be for several fields. */
  use(heading: string): ColumnUse {
    return this.look(heading).use;
  }

  /** Returns why an unknown column cannot be imported; nothing where it is ignored. */
  problems(heading: string): readonly FieldError[] {
    return this.look(heading).problems;
  }

  private look(heading: string): Column {
    const known = this.known.get(heading);
    if (known !== undefined) return known;
    const { mapped, preset } = this.named(heading);
    const name = mapped ?? preset ?? heading;
    // Files have empty columns, whose cells nobody can name. What a preset leaves out is told.
    const use = name.trim() !== '' ? this.useOf(name) : preset === undefined ? 'ignored' : 'system';
    // A near name takes time, which ever new headings do not get.
    const isKept = this.known.size < MOST.headings && heading.length <= MOST.characters;
    const isIgnored = this.rules.ignoreUnknown === true && this.names.find(name).length < 2;
    const problems = use !== 'unknown' || isIgnored ? [] : [this.problem(name, { isNear: isKept })];
    const found = { use, problems };
    if (isKept) this.known.set(heading, found);
    return found;
  }

  /** What --map has for a heading, or else a preset. */
  private named(heading: string): {
    readonly mapped?: string | undefined;
    readonly preset?: string | undefined;
  } {
    const key = headingKey(heading);
    const mapped = this.rules.map?.get(heading) ?? this.mapped.get(key);
    return mapped === undefined ? { preset: this.preset.get(key) } : { mapped };
  }

  /**
   * Returns what each column of a file with headings is for.
   * @throws DomainError 400 that lists every unknown column, those that set the same field, the mapped ones
   *   that are not there, and the missing key
   */
  resolve(headings: readonly string[]): readonly ColumnUse[] {
    const { key, map = NONE } = this.rules;
    // What maps exactly one heading maps no other one that is compared alike.
    this.mapped = byKey([...map].filter(([heading]) => !headings.includes(heading)));
    this.giveWay(headings);
    const errors: FieldError[] = [];
    const seen = new Set<string>();
    for (const heading of headings) {
      const { use, problems } = this.look(heading);
      errors.push(...problems);
      const name = nameOf(use);
      if (name === undefined) continue;
      if (seen.has(name)) errors.push({ message: `Two columns are for ${name}` });
      seen.add(name);
      if (!this.constants.has(name)) continue;
      const shown = shownName(heading);
      const ignoring = `--map "${shown}=" ignores it`;
      errors.push({ message: `The column ${shown} is for ${name}, and --set, too (${ignoring})` });
    }
    const keys = new Set(headings.map(headingKey));
    for (const heading of map.keys()) {
      if (!keys.has(headingKey(heading)))
        errors.push({ message: `There is no column ${shownName(heading)}, which --map names` });
    }
    if (!seen.has(key)) errors.push({ message: `There is no column for the key ${key}` });
    if (errors.length > 0) throw listed(errors);
    return headings.map((heading) => this.use(heading));
  }

  /** Of columns that a preset maps, the first one for a field stays, where no other column is for it. */
  private giveWay(headings: readonly string[]): void {
    const presets = [...this.preset.keys()];
    const placeOf = (heading: string): number => presets.indexOf(headingKey(heading));
    const ofPreset = new Set(headings.filter((heading) => this.named(heading).preset !== undefined));
    const others = headings.filter((heading) => !ofPreset.has(heading));
    const taken = new Set(others.map((heading) => nameOf(this.use(heading))));
    for (const heading of [...ofPreset].sort((a, b) => placeOf(a) - placeOf(b))) {
      const name = nameOf(this.use(heading));
      if (name === undefined) continue;
      if (taken.has(name)) this.known.set(heading, { use: 'ignored', problems: [] });
      taken.add(name);
    }
  }

  private useOf(name: string): ColumnUse {
    const isReserved = !this.names.has(name) && (name === 'id' || this.rules.isManaged(name));
    const [one, ...others] = isReserved ? [] : this.names.find(name);
    if (others.length > 0) return 'unknown';
    if (one !== undefined)
      return { field: one.field.internalName, ...readerOf(one.field, this.rules.cells ?? {}, one.key) };
    const system = snakeCase(name);
    if (system === 'id' && this.key === 'id') return 'id';
    if (system === 'archived') return 'archived';
    if (isReserved || ALWAYS_IGNORED.has(name)) return 'ignored';
    return this.rules.isManaged(system) ? 'system' : 'unknown';
  }

  /** Says that a name means no field, or several. @param how `option`: what of the command has the name */
  private problem(name: string, how: { readonly option?: string; readonly isNear?: boolean }): FieldError {
    const { option = '', isNear = true } = how;
    const isColumn = option === '';
    const shown = option + shownName(name);
    const fields = this.names.find(name).map(({ field }) => field.internalName);
    if (fields.length > 1) {
      const may = `${shown} may be ${fields.join(' or ')}`;
      return { message: isColumn ? `The column ${may}: say which with --map` : may };
    }
    const meant = isNear ? didYouMean(name, this.names.all) : '';
    return { message: `Unknown ${isColumn ? 'column' : 'field'}: ${shown}${meant}` };
  }
}

/** What has a value at most once in a row. */
function nameOf(use: ColumnUse): string | undefined {
  return typeof use === 'object' ? use.field : use === 'id' ? use : undefined;
}

/** Of headings that are compared alike, the first one counts. */
function byKey(map: Iterable<readonly [heading: string, name: string]>): Names {
  const names = new Map<string, string>();
  for (const [heading, name] of map)
    if (!names.has(headingKey(heading))) names.set(headingKey(heading), name);
  return names;
}

function listed(errors: readonly FieldError[]): DomainError {
  const shown = errors.slice(0, MAX_ERRORS);
  const more = errors.length > shown.length ? [`and ${errors.length - shown.length} more`] : [];
  const lines = [...shown.map(({ message }) => message), ...more];
  return new DomainError('invalid_request', lines.join('\n'), { errors: shown });
}

/** A value of a row, and what its column is for. */
export type RowValue = readonly [use: ColumnUse, value: unknown];

/** Returns what a row sets, or why it cannot be imported. */
export function rowValues(
  values: Iterable<RowValue>,
  columns: Columns,
): Pick<ReadRow, 'key' | 'fields' | 'unread'> | { readonly problem: string } {
  const fields: Record<string, unknown> = Object.fromEntries(columns.constants);
  const unread: FieldError[] = [];
  let id: unknown = null;
  for (const [use, value] of values) {
    if (typeof use === 'object') {
      if (value instanceof CellProblem) unread.push({ field: use.field, message: value.message });
      else fields[use.field] = value;
    } else if (use === 'id') id = value;
    else if (use === 'archived' && !isNotArchived(value))
      return { problem: 'Archived records are not imported' };
  }
  const key = columns.key === 'id' ? id : Object.hasOwn(fields, columns.key) ? fields[columns.key] : null;
  return { key: key ?? null, fields, ...(unread.length > 0 && { unread }) };
}

function isNotArchived(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || readBool(value) === false;
  return value === null || value === false;
}
