import { Inject, Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { compileTrigger, fieldsOf, matches, RecordValues, type TriggerOperator } from '../../engine/index.js';
import { invalid } from '../../errors/errors.js';
import { FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import { parseFilter, RecordScanner, searchLookup, type RecordView } from '../../records/index.js';
import { fieldLookup, TRIGGER_OPERATORS } from '../../routers/index.js';
import { OWN_COLUMNS } from '../rows/source-row.js';
import { disarmed } from '../rows/spreadsheet-cell.js';

/** Which records are exported, and how. */
export interface RecordExport {
  readonly objectType: ObjectType;
  /**
   * `json` is one document: a list. `csv` is as RFC 4180 has it, but for line feeds. `spreadsheet` is CSV
   * that spreadsheets read as UTF-8, with no text that is a formula to them; its last column says so.
   */
  readonly format: 'csv' | 'json' | 'ndjson' | 'spreadsheet';
  /** A trigger; undefined exports all records. */
  readonly filter: unknown;
  /** Whether archived records are among them. */
  readonly archived: boolean;
}

// Of line ends, only those of this kind would be in quotes.
const FOR_SPREADSHEETS = { record_delimiter: 'windows', quoted_match: /[\r\n]/ };

/** What filters know beside fields, and views have in any case. */
const IN_ALL_VIEWS: ReadonlySet<string> = new Set(['id', 'archived', 'archived_by', 'updated_at']);

/** Exports all records of a type with all their fields, in creation order (contract section 7). */
@Injectable()
export class RecordExporter {
  constructor(
    private readonly configurations: ConfigurationCache,
    private readonly scanner: RecordScanner,
    private readonly types: FieldTypeRegistry,
    @Inject(TRIGGER_OPERATORS) private readonly operators: readonly TriggerOperator[],
  ) {}

  /**
   * Returns the text of an export in parts of at most 10 MiB, but for one record that is larger.
   * @throws DomainError 400 that lists all that is wrong with the filter
   */
  async *export(client: ClientContext, request: RecordExport): AsyncGenerator<string> {
    const { objectType, format, archived } = request;
    const { names, filter } = await this.configurations.use(client, (configuration) => ({
      names: configuration.catalog.all(objectType).map(({ internalName }) => internalName),
      filter: request.filter === undefined ? undefined : this.filterOf(configuration, request),
    }));
    const system = ['created_at', 'updated_at', 'archived', ...(archived ? ['archived_by'] : [])];
    const columns = ['id', ...names, ...system];
    const read = [...new Set([...names, ...(filter?.fields ?? [])])];
    const isCsv = format === 'csv' || format === 'spreadsheet';
    if (format === 'csv') yield stringify([columns]);
    if (format === 'spreadsheet')
      yield `\uFEFF${stringify([[...columns, OWN_COLUMNS.spreadsheet]], FOR_SPREADSHEETS)}`;
    if (format === 'json') yield '[';
    let begun = false;
    for await (const texts of this.scanner.pages(client, { objectType, properties: read, archived })) {
      // JSON without a filter is what the database has made.
      const isWhole = filter === undefined && !isCsv;
      const views = isWhole ? [] : texts.map((text) => JSON.parse(text) as RecordView);
      const chosen = filter === undefined ? views : views.filter(filter.test);
      if (!isWhole && chosen.length === 0) continue;
      const lines = isWhole ? texts : isCsv ? [] : chosen.map((view) => JSON.stringify(only(view, columns)));
      if (isCsv) yield rowsOf(chosen, columns, format === 'spreadsheet');
      else if (format === 'ndjson') yield `${lines.join('\n')}\n`;
      else yield `${begun ? ',' : ''}\n${lines.join(',\n')}`;
      begun = true;
    }
    if (format === 'json') yield '\n]\n';
  }

  /** Reads a filter. @returns `fields`: those that its test reads */
  private filterOf(
    { catalog, directory }: AccountConfiguration,
    { objectType, filter }: RecordExport,
  ): { readonly fields: readonly string[]; readonly test: (view: RecordView) => boolean } {
    const { types, operators } = this;
    const fields = searchLookup(fieldLookup(catalog, types, directory), types);
    const parsed = parseFilter({ value: filter, path: 'filter' }, objectType, { fields, operators });
    if (!parsed.ok) {
      throw invalid(
        parsed.errors.map(({ field, message }) => ({
          field,
          message: message.startsWith(field) ? message : `${field}: ${message}`,
        })),
      );
    }
    const compiled = compileTrigger(parsed.trigger, objectType, { fields, operators });
    return {
      fields: [...fieldsOf([compiled])].filter((name) => !IN_ALL_VIEWS.has(name)),
      test: (view) => {
        const get = (name: string): string | undefined =>
          name === 'archived' ? String(view[name] !== false) : view[name] || undefined;
        return matches(compiled, new RecordValues({ id: String(view['id']), objectType, get }));
      },
    };
  }
}

function rowsOf(views: readonly RecordView[], columns: readonly string[], forSpreadsheet: boolean): string {
  const cells = views.map((view) => columns.map((name) => cell(view[name])));
  if (!forSpreadsheet) return stringify(cells);
  return stringify(
    cells.map((row) => [...row.map(disarmed), '']),
    FOR_SPREADSHEETS,
  );
}

function cell(value: string | false | null | undefined): string {
  return value === false ? 'false' : (value ?? '');
}

function only(view: RecordView, columns: readonly string[]): RecordView {
  return Object.fromEntries(
    Object.entries(view).filter(([name]) => columns.includes(name) || name === 'archived_by'),
  );
}
