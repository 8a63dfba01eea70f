import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database, isId } from '../../database/index.js';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import {
  OBJECT_TYPE_RULES,
  type NamedTarget,
  type ObjectType,
  type ParseResult,
} from '../../fields/index.js';
import { shownName } from '../../text/shown-name.js';
import { namedBy, type KeyValue } from '../record-key.js';
import { RecordValidator } from '../record-validator.js';
import { ReferenceResolver, type FindRecord, type SentFields } from '../references/reference-resolver.js';
import { RecordsRepository } from '../records.repository.js';
import type { StoredRecord } from '../record-view.js';

/** The key by which rows find their records: a unique key of a type, or `id`. */
interface WantedKey {
  readonly objectType: ObjectType;
  readonly property: string;
}

/** Values by internal name, as in a request body. */
interface GivenRow {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Compares rows of values with the records that have their keys, many at once. Writes nothing. */
@Injectable()
export class RecordMatcher {
  constructor(
    private readonly database: Database,
    private readonly configurations: ConfigurationCache,
    private readonly validator: RecordValidator,
    private readonly repository: RecordsRepository,
    private readonly references: ReferenceResolver,
  ) {}

  /**
   * Returns the keys of rows as they are stored, by which records are found, or what is wrong with them.
   * @param rows `key`: the value of the wanted key
   */
  keys<Row extends GivenRow & { readonly key: unknown }>(
    client: ClientContext,
    { objectType, property }: WantedKey,
    rows: readonly Row[],
  ) {
    return this.configurations.use(client, (configuration) => {
      const keyOf = (value: unknown): KeyValue | DomainError => {
        if (property === 'id') return idKey(value);
        // The validator takes what a body may have, although a path has texts only.
        const given = { property, value: value as string };
        const found = this.validator.key(configuration, objectType, given);
        return found.key ?? wrong(found.error);
      };
      return rows.map((row) => ({ row, stored: keyOf(row.key) }));
    });
  }

  /** The active records by the values of their keys, with the long fields among `names`. */
  find(
    client: ClientContext,
    {
      objectType,
      property,
      values,
      names,
    }: WantedKey & { readonly values: readonly string[]; readonly names: ReadonlySet<string> },
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    return this.configurations.use(client, async ({ catalog }) => {
      const hidden = catalog.longFields(objectType).filter((name) => !names.has(name));
      const asked = { objectType, by: namedBy(property), names: values, hidden };
      const records = await this.repository.find(this.database.for(client), client, asked);
      const found = new Map<string, StoredRecord>();
      for (const [index, record] of records.entries())
        if (record?.archived_at === null) found.set(values[index] ?? '', record);
      return found;
    });
  }

  /**
   * Compares rows with their records, in the order given.
   * @param rows `record`: undefined for a new one
   * @returns of each, `differing`: the fields whose values differ from those of the record, or all of a new
   *   one; undefined for none; `refused`: why it cannot be written
   */
  compare<Row extends GivenRow & { readonly record: StoredRecord | undefined }>(
    client: ClientContext,
    objectType: ObjectType,
    rows: readonly Row[],
  ) {
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields: rows.map(({ fields }) => fields) };
      const findRecord = await this.targets(client, configuration, sent);
      return rows.map((row) => {
        const { record, fields } = row;
        try {
          const write = { objectType, fields, findRecord, mode: record ? 'update' : 'create' } as const;
          const { changes } = this.validator.validate(configuration, write, {}).values;
          const names = [...changes].flatMap(([name, value]) =>
            record && value === stored(record, name) ? [] : [name],
          );
          const differing = Object.fromEntries(names.map((name) => [name, fields[name]]));
          return { row, differing: record === undefined ? fields : names.length > 0 ? differing : undefined };
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          return { row, refused: error };
        }
      });
    });
  }

  /** The values of rows as they would be stored, by field, or why they cannot be; empty for cleared ones. */
  preview(
    client: ClientContext,
    objectType: ObjectType,
    rows: readonly GivenRow[],
  ): Promise<readonly ReadonlyMap<string, string>[]> {
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields: rows.map(({ fields }) => fields) };
      const findRecord = await this.targets(client, configuration, sent);
      const shown = (name: string, value: unknown): string => {
        try {
          const write = { objectType, fields: { [name]: value }, findRecord, mode: 'update' } as const;
          return this.validator.validate(configuration, write, {}).values.changes.get(name) ?? '';
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          return error.message;
        }
      };
      return rows.map(
        ({ fields }) => new Map(Object.entries(fields).map(([name, value]) => [name, shown(name, value)])),
      );
    });
  }

  /** Finds the records that references name. A key that no record has is said, as a file has many. */
  private async targets(
    client: ClientContext,
    configuration: AccountConfiguration,
    sent: SentFields,
  ): Promise<FindRecord> {
    const find = await this.references.resolve(client, configuration, sent);
    return (target) => find(target) ?? missing(target);
  }
}

function missing({ objectType, property, value }: NamedTarget): ParseResult | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const { singular, uniqueKeys } = OBJECT_TYPE_RULES[objectType];
  const paths = uniqueKeys.map((key) => `${singular}.${key}`).join(' or ');
  const text = String(value);
  const hints = [
    ...(text.includes(';') ? ['a record names one, and this has several'] : []),
    // Names are no keys: a column of them is often taken for one of references.
    ...(property === 'id' ? [`map a column of keys to ${paths}, and one of names to a text field`] : []),
  ];
  const problem = `no active ${singular} has the ${property} ${shownName(text)}`;
  return { ok: false, message: [problem, ...hints].join('; ') };
}

function stored({ fields }: StoredRecord, name: string): string | null {
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}

function idKey(value: unknown): KeyValue | DomainError {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (isId(text)) return { property: 'id', value: text };
  const problem = text === '' ? 'id must not be empty' : 'id must be that of a record';
  return wrong({ field: 'id', message: problem });
}

function wrong(error: FieldError): DomainError {
  return invalid([error], { code: 'invalid_fields' });
}
