import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { ConfigurationCache, type AccountConfiguration } from '../../configuration/index.js';
import { Database, isId } from '../../database/index.js';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { invalid } from '../../errors/errors.js';
import { OBJECT_TYPE_RULES, type FieldChanges, type ObjectType } from '../../fields/index.js';
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

/** Values by internal name, as in a request body, and the record that has the key of the row. */
export interface MatchedRow {
  /** Undefined where the row is for a new record. */
  readonly record: StoredRecord | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * What a row changes: a new record; the fields whose values differ from those of its record, of which there
 * may be none; or why it cannot be written.
 */
export type Comparison =
  | {
      readonly kind: 'create' | 'update';
      readonly fields: Readonly<Record<string, unknown>>;
      /** All values of the row, as they are stored. */
      readonly changes: FieldChanges;
    }
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly error: DomainError };

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

  /** Returns the keys as they are stored, in the order given, or what is wrong with them. */
  keys(
    client: ClientContext,
    { objectType, property }: WantedKey,
    values: readonly unknown[],
  ): Promise<(KeyValue | DomainError)[]> {
    return this.configurations.use(client, (configuration) =>
      Promise.resolve(
        values.map((value) =>
          property === 'id' ? idKey(value) : this.key(configuration, objectType, { property, value }),
        ),
      ),
    );
  }

  /** Returns the values of unique keys that each row sets, as they are stored. Wrong ones are left out. */
  uniqueKeys(
    client: ClientContext,
    objectType: ObjectType,
    rows: readonly Pick<MatchedRow, 'fields'>[],
  ): Promise<KeyValue[][]> {
    return this.configurations.use(client, (configuration) =>
      Promise.resolve(
        rows.map(({ fields }) =>
          OBJECT_TYPE_RULES[objectType].uniqueKeys.flatMap((property) => {
            const value = Object.hasOwn(fields, property) ? fields[property] : null;
            const key = value === null ? null : this.key(configuration, objectType, { property, value });
            return key === null || key instanceof DomainError ? [] : [key];
          }),
        ),
      ),
    );
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
  compare(client: ClientContext, objectType: ObjectType, rows: readonly MatchedRow[]): Promise<Comparison[]> {
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields: rows.map(({ fields }) => fields) };
      const findRecord = await this.references.resolve(client, configuration, sent);
      return rows.map((row) => this.compareOne(configuration, { objectType, findRecord }, row));
    });
  }

  private compareOne(
    configuration: AccountConfiguration,
    of: { readonly objectType: ObjectType; readonly findRecord: FindRecord },
    { record, fields }: MatchedRow,
  ): Comparison {
    try {
      const mode = record === undefined ? 'create' : 'update';
      const { values } = this.validator.validate(configuration, { ...of, fields, mode }, {});
      if (record === undefined) return { kind: 'create', fields, changes: values.changes };
      const differing = [...values.changes].filter(([name, value]) => value !== stored(record, name));
      if (differing.length === 0) return { kind: 'same' };
      return {
        kind: 'update',
        fields: Object.fromEntries(differing.map(([name]) => [name, fields[name]])),
        changes: values.changes,
      };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { kind: 'refused', error };
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
