import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { invalid, MAX_ERRORS } from '../../errors/errors.js';
import { didYouMean } from '../../text/nearest-name.js';
import { shownName } from '../../text/shown-name.js';
import { CellProblem } from '../values/cell-problem.js';
import { readerOf, type ValueReader } from '../values/cell-reader.js';
import { readBool } from '../values/read-bool.js';
import type { ColumnRules } from './column-rules.js';
import { FieldNames, headingKey, snakeCase } from './field-names.js';
import { OWN_COLUMNS, type ReadRow } from './source-row.js';

/** A column for a field. */
export interface FieldUse extends ValueReader {
  readonly field: string;
}

/**
 * What a column is for: a field, the key `id`, nothing, or what says that a record is archived. `system`:
 * nothing, which is told: what only the service sets, spelled otherwise, and what a preset leaves out.
 */
export type ColumnUse = FieldUse | 'id' | 'ignored' | 'archived' | 'system' | 'unknown';

const ALWAYS_IGNORED: ReadonlySet<string> = new Set(Object.values(OWN_COLUMNS));

/** The most headings that are remembered, and their characters: lines of JSON may have ever new ones. */
const MOST = { headings: 1_000, characters: 1_000 };

/** The columns of files: what each is for, by its heading. */
export class Columns {
  private readonly names: FieldNames;
  /** What is mapped, by the form in which headings are compared. */
  private mapped: ReadonlyMap<string, string>;
  private readonly preset: ReadonlyMap<string, string>;
  private readonly uses = new Map<string, ColumnUse>();
  /** What is wrong with unknown headings. */
  private readonly told = new Map<string, readonly FieldError[]>();
  /** Values of fields that are the same in all rows. */
  readonly constants: ReadonlyMap<string, unknown>;

  /** @throws DomainError 400 for a map or a constant that names a field that does not exist */
  constructor(private readonly rules: ColumnRules) {
    this.names = new FieldNames(rules.fields);
    const { map, preset = new Map<string, string>(), constants = new Map<string, string>() } = rules;
    this.mapped = byKey(map);
    this.preset = byKey([...preset].filter(([, name]) => name === '' || this.useOf(name) !== 'unknown'));
    const wrong = [...map].flatMap(([heading, name]) =>
      name === '' ? [] : this.wrong(name, { option: `--map ${shownName(heading)}=` }),
    );
    wrong.push(
      ...[...constants.keys()].flatMap((name) => this.wrong(name, { option: '--set ', onlyFields: true })),
    );
    if (wrong.length > 0) throw listed(wrong);
    const given = [...constants].map(([name, text]) => this.constant(name, text));
    this.constants = new Map(given);
    const twice = given.find(([name], index) => given.findIndex(([other]) => other === name) < index);
    if (twice !== undefined) throw invalid([{ message: `--set sets ${twice[0]} twice` }]);
  }

  /** Returns the internal name of the field that a name or a label means; undefined where it means none. */
  fieldNamed(name: string): string | undefined {
    const use = this.useOf(name);
    return typeof use === 'object' ? use.field : undefined;
  }

  get key(): string {
    return this.rules.key;
  }

  /** What each heading that was met is for, in their order; at most 1,000. */
  get met(): ReadonlyMap<string, ColumnUse> {
    return this.uses;
  }

  /** The headings that were met and are ignored, though nobody has said so. */
  get ignored(): readonly string[] {
    return [...this.uses.keys()].filter((heading) => {
      const use = this.use(heading);
      return use === 'system' || (use === 'unknown' && this.problems(heading).length === 0);
    });
  }

  /** Returns what a column is for. Unknown is also one that may be for several fields. */
  use(heading: string): ColumnUse {
    let use = this.uses.get(heading);
    if (use === undefined) {
      use = this.meant(heading);
      const isKept = this.uses.size < MOST.headings && heading.length <= MOST.characters;
      if (isKept) this.uses.set(heading, use);
    }
    return use;
  }

  /**
   * Returns what each column of a file with headings is for.
   * @throws DomainError 400 that lists every unknown column, those that set the same field, the mapped ones
   *   that are not there, and the missing key
   */
  resolve(headings: readonly string[]): readonly ColumnUse[] {
    // What maps exactly one heading maps no other one that is compared alike.
    this.mapped = byKey([...this.rules.map].filter(([heading]) => !headings.includes(heading)));
    this.giveWay(headings);
    const uses = headings.map((heading) => this.use(heading));
    const errors: FieldError[] = [];
    const seen = new Set<string>();
    for (const [index, use] of uses.entries()) {
      if (use === 'unknown') errors.push(...this.problems(headings[index] ?? ''));
      const name = nameOf(use);
      if (name === undefined) continue;
      if (seen.has(name)) errors.push({ message: `Two columns are for ${name}` });
      if (this.constants.has(name)) errors.push(setTwice(name, headings[index] ?? ''));
      seen.add(name);
    }
    const keys = new Set(headings.map(headingKey));
    for (const heading of this.rules.map.keys()) {
      if (!keys.has(headingKey(heading)))
        errors.push({ message: `There is no column ${shownName(heading)}, which --map names` });
    }
    if (!seen.has(this.key)) errors.push({ message: `There is no column for the key ${this.key}` });
    if (errors.length > 0) throw listed(errors);
    return uses;
  }

  /** Returns why an unknown column cannot be imported; nothing where it is ignored. */
  problems(heading: string): readonly FieldError[] {
    const name = this.mappedTo(heading) ?? heading;
    if (this.rules.ignoreUnknown === true && this.names.find(name).length < 2) return [];
    const known = this.told.get(heading);
    if (known !== undefined) return known;
    // A near name takes time, which ever new headings do not get.
    const isNear = this.told.size < MOST.headings && heading.length <= MOST.characters;
    const found = this.wrong(name, { isNear });
    if (isNear) this.told.set(heading, found);
    return found;
  }

  private mappedTo(heading: string): string | undefined {
    return this.rules.map.get(heading) ?? this.mapped.get(headingKey(heading));
  }

  private meant(heading: string): ColumnUse {
    const preset = this.preset.get(headingKey(heading));
    const mapped = this.mappedTo(heading) ?? preset;
    // What a preset leaves out is told.
    if (mapped === '' && this.mappedTo(heading) === undefined) return 'system';
    // Files have empty columns, whose cells nobody can name.
    return (mapped ?? heading).trim() === '' ? 'ignored' : this.useOf(mapped ?? heading);
  }

  /** Of columns that a preset maps, the first one for a field stays, where no other column is for it. */
  private giveWay(headings: readonly string[]): void {
    if (this.preset.size === 0) return;
    const byPreset = new Map(
      headings.flatMap((heading) => {
        const key = headingKey(heading);
        return this.preset.has(key) && this.mappedTo(heading) === undefined ? [[key, heading]] : [];
      }),
    );
    const others = headings.filter((heading) => byPreset.get(headingKey(heading)) !== heading);
    const taken = new Set(others.map((heading) => nameOf(this.use(heading))));
    for (const [key] of this.preset) {
      const heading = byPreset.get(key);
      const name = heading === undefined ? undefined : nameOf(this.use(heading));
      if (heading === undefined || name === undefined) continue;
      if (taken.has(name)) this.uses.set(heading, 'ignored');
      taken.add(name);
    }
  }

  private useOf(name: string): ColumnUse {
    const isReserved = !this.names.has(name) && (name === 'id' || this.rules.isManaged(name));
    const found = isReserved ? [] : this.names.find(name);
    const [one, ...others] = found;
    if (others.length > 0) return 'unknown';
    if (one !== undefined)
      return { field: one.field.internalName, ...readerOf(one.field, this.rules.cells ?? {}, one.key) };
    const system = snakeCase(name);
    if (system === 'id' && this.key === 'id') return 'id';
    if (system === 'archived') return 'archived';
    if (isReserved || ALWAYS_IGNORED.has(name)) return 'ignored';
    return this.rules.isManaged(system) ? 'system' : 'unknown';
  }

  /**
   * Says that a name means no field, or several.
   * @param how `option`: what of the command names it; undefined for a column. `onlyFields`: it must be a
   *   field. `isNear`: false for no look at what may be meant
   */
  private wrong(
    name: string,
    how: { readonly option?: string; readonly onlyFields?: boolean; readonly isNear?: boolean } = {},
  ): readonly FieldError[] {
    const { option, onlyFields = false, isNear = true } = how;
    const use = this.useOf(name);
    if (typeof use === 'object' || (use !== 'unknown' && !onlyFields)) return [];
    const shown = `${option ?? ''}${shownName(name)}`;
    const [first, ...others] = this.names.find(name).map(({ field }) => field.internalName);
    if (first !== undefined && others.length > 0) {
      const subject = option === undefined ? `The column ${shown}` : shown;
      const advice = option === undefined ? ': say which with --map' : '';
      return [{ message: `${subject} may be ${[first, ...others].join(' or ')}${advice}` }];
    }
    const meant = isNear ? didYouMean(name, this.names.all) : '';
    return [{ message: `Unknown ${option === undefined ? 'column' : 'field'}: ${shown}${meant}` }];
  }

  /** @throws DomainError 400 for a text that is none of the values of the field */
  private constant(name: string, text: string): [field: string, value: unknown] {
    const use = this.useOf(name) as FieldUse;
    const value = use.cell(text);
    if (value instanceof CellProblem) throw invalid([{ message: `--set: ${value.message}` }]);
    return [use.field, value];
  }
}

/** What has a value at most once in a row. */
function nameOf(use: ColumnUse): string | undefined {
  return typeof use === 'object' ? use.field : use === 'id' ? use : undefined;
}

function setTwice(name: string, heading: string): FieldError {
  const shown = shownName(heading);
  return { message: `The column ${shown} is for ${name}, and --set, too (--map "${shown}=" ignores it)` };
}

/** Of headings that are compared alike, the first one counts. */
function byKey(map: Iterable<readonly [heading: string, name: string]>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [heading, name] of map) {
    const key = headingKey(heading);
    if (!names.has(key)) names.set(key, name);
  }
  return names;
}

function listed(errors: readonly FieldError[]): DomainError {
  const shown = errors.slice(0, MAX_ERRORS).map((error) => error.message);
  if (errors.length > shown.length) shown.push(`and ${errors.length - shown.length} more`);
  return new DomainError('invalid_request', shown.join('\n'), {
    errors: errors.slice(0, MAX_ERRORS),
  });
}

/** A value of a row, and what its column is for. */
export type RowValue = readonly [use: ColumnUse, value: unknown];

/** Returns what a row sets, or why it cannot be imported. */
export function rowValues(
  values: Iterable<RowValue>,
  columns: Columns,
): Pick<ReadRow, 'key' | 'fields' | 'unread'> | { readonly problem: string } {
  const fields: Record<string, unknown> = {};
  for (const [field, value] of columns.constants) fields[field] = value;
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
  return unread.length > 0 ? { key: key ?? null, fields, unread } : { key: key ?? null, fields };
}

function isNotArchived(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || readBool(value) === false;
  return value === null || value === false;
}
