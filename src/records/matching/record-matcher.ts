import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database, isId } from '../../database/index.js';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../../fields/index.js';
import { namedBy, type KeyValue } from '../record-key.js';
import { RecordValidator } from '../record-validator.js';
import { ReferenceResolver, type FindRecord } from '../references/reference-resolver.js';
import { RecordsRepository } from '../records.repository.js';
import type { StoredRecord } from '../stored-record.js';

/** A unique key of a type, or `id`, and the values that rows have for it. */
export interface WantedKey {
  readonly objectType: ObjectType;
  readonly property: string;
}

/** Values by internal name, as in a request body. */
interface GivenRow {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A row and its record; undefined for a new one. */
interface ComparedRow extends GivenRow {
  readonly record: StoredRecord | undefined;
}

/** The keys of a row, as they are stored. */
interface RowKeys {
  /** That by which its record is found, or what is wrong with it. */
  readonly stored: KeyValue | DomainError;
  /** The values of unique keys that it sets. Wrong ones are left out. */
  readonly unique: readonly KeyValue[];
}

/** What a row sets of a new record, or of its own. */
interface Comparison {
  /** The fields whose values differ from those of the record, or all of a new one; undefined for none. */
  readonly differing?: Readonly<Record<string, unknown>>;
  /** Why it cannot be written. */
  readonly refused?: DomainError;
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

  /** Returns the keys of rows, in the order given. @param rows `key`: the value of the wanted key */
  keys<Row extends GivenRow & { readonly key: unknown }>(
    client: ClientContext,
    { objectType, property }: WantedKey,
    rows: readonly Row[],
  ): Promise<(RowKeys & { readonly row: Row })[]> {
    const { uniqueKeys } = OBJECT_TYPE_RULES[objectType];
    return this.configurations.use(client, (configuration) => {
      const keyOf = (name: string, value: unknown): KeyValue | DomainError =>
        name === 'id' ? idKey(value) : this.key(configuration, objectType, { property: name, value });
      return Promise.resolve(
        rows.map((row) => {
          const { key, fields } = row;
          const set = uniqueKeys.filter((name) => Object.hasOwn(fields, name) && fields[name] !== null);
          const unique = set.map((name) => keyOf(name, fields[name]));
          return {
            row,
            stored: keyOf(property, key),
            unique: unique.flatMap((each) => (each instanceof DomainError ? [] : [each])),
          };
        }),
      );
    });
  }

  /**
   * Returns the active records by the values of their keys. Long fields are read where `names` has them.
   * @param wanted `values`: as `keys` returns them; `names`: the fields that rows set
   */
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
      return new Map(
        records.flatMap((record, index) =>
          record === undefined || record.archived_at !== null ? [] : [[values[index] ?? '', record]],
        ),
      );
    });
  }

  /** Compares rows with their records, in the order given. */
  compare<Row extends ComparedRow>(
    client: ClientContext,
    objectType: ObjectType,
    rows: readonly Row[],
  ): Promise<(Comparison & { readonly row: Row })[]> {
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields: rows.map(({ fields }) => fields) };
      const findRecord = await this.references.resolve(client, configuration, sent);
      const of = { objectType, findRecord };
      return rows.map((row) => ({ row, ...this.compareOne(configuration, of, row) }));
    });
  }

  private compareOne(
    configuration: AccountConfiguration,
    of: { readonly objectType: ObjectType; readonly findRecord: FindRecord },
    { record, fields }: ComparedRow,
  ): Comparison {
    try {
      const mode = record === undefined ? 'create' : 'update';
      const { values } = this.validator.validate(configuration, { ...of, fields, mode }, {});
      if (record === undefined) return { differing: fields };
      const differing = [...values.changes].filter(([name, value]) => value !== stored(record, name));
      if (differing.length === 0) return {};
      return { differing: Object.fromEntries(differing.map(([name]) => [name, fields[name]])) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { refused: error };
    }
  }

  private key(
    configuration: AccountConfiguration,
    objectType: ObjectType,
    { property, value }: { readonly property: string; readonly value: unknown },
  ): KeyValue | DomainError {
    // The validator takes what a body may have, although a path has texts only.
    const found = this.validator.key(configuration, objectType, { property, value: value as string });
    return found.key ?? wrong(found.error ?? { field: property, message: `${property} must not be empty` });
  }
}

function stored({ fields }: StoredRecord, name: string): string | null {
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}

function idKey(value: unknown): KeyValue | DomainError {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (isId(text)) return { property: 'id', value: text };
  return wrong({
    field: 'id',
    message: text === '' ? 'id must not be empty' : 'id must be that of a record',
  });
}

function wrong(error: FieldError): DomainError {
  return invalid([error], { code: 'invalid_fields' });
}
