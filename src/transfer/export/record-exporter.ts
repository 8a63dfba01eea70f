import { Inject, Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache } from '../../configuration/index.js';
import type { TriggerOperator } from '../../engine/index.js';
import { FieldTypeRegistry, type ObjectType } from '../../fields/index.js';
import { RecordScanner, type RecordView } from '../../records/index.js';
import { TRIGGER_OPERATORS } from '../../routers/index.js';
import { recordFilter, type RecordFilter } from './record-filter.js';

/** `json` is one document: a list. */
export type ExportFormat = 'csv' | 'json' | 'ndjson';

/** Which records are exported, and how. */
export interface RecordExport {
  readonly objectType: ObjectType;
  readonly format: ExportFormat;
  /** A trigger; undefined exports all records. */
  readonly filter: unknown;
  /** Whether archived records are among them. */
  readonly archived: boolean;
}

/** What is known of an export before its first record. */
interface Plan {
  readonly names: readonly string[];
  readonly filter: RecordFilter | undefined;
}

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
    const { names, filter } = await this.plan(client, request);
    const columns = [
      'id',
      ...names,
      'created_at',
      'updated_at',
      'archived',
      ...(archived ? ['archived_by'] : []),
    ];
    const read = [...new Set([...names, ...(filter?.fields ?? [])])];
    if (format === 'csv') yield stringify([columns]);
    if (format === 'json') yield '[';
    let begun = false;
    for await (const texts of this.scanner.pages(client, { objectType, properties: read, archived })) {
      // JSON without a filter is what the database has made.
      const whole = filter === undefined && format !== 'csv' ? texts : undefined;
      const views = whole === undefined ? chosen(texts, filter) : [];
      const lines = whole ?? views.map((view) => JSON.stringify(only(view, columns)));
      if (lines.length === 0) continue;
      if (format === 'csv') yield stringify(views.map((view) => columns.map((name) => cell(view[name]))));
      else if (format === 'ndjson') yield `${lines.join('\n')}\n`;
      else yield `${begun ? ',' : ''}\n${lines.join(',\n')}`;
      begun = true;
    }
    if (format === 'json') yield '\n]\n';
  }

  private plan(client: ClientContext, { objectType, filter: trigger }: RecordExport): Promise<Plan> {
    return this.configurations.use(client, (configuration) => {
      const names = configuration.catalog.all(objectType).map(({ internalName }) => internalName);
      const parts = { types: this.types, operators: this.operators };
      const filter =
        trigger === undefined ? undefined : recordFilter(configuration, { objectType, trigger }, parts);
      return Promise.resolve({ names, filter });
    });
  }
}

function chosen(texts: readonly string[], filter: RecordFilter | undefined): RecordView[] {
  const views = texts.map((text) => JSON.parse(text) as RecordView);
  return filter === undefined ? views : views.filter((view) => filter.test(view));
}

function only(view: RecordView, columns: readonly string[]): RecordView {
  return Object.fromEntries(
    Object.entries(view).filter(([name]) => columns.includes(name) || name === 'archived_by'),
  );
}

function cell(value: string | false | null | undefined): string {
  return value === false ? 'false' : (value ?? '');
}
