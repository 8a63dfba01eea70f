import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../../accounts/index.js';
import type { AccountConfiguration } from '../../configuration/index.js';
import { Database, isId } from '../../database/index.js';
import {
  namedTarget,
  type FieldDefinition,
  type FieldEnvironment,
  type NamedTarget,
  type ObjectType,
  type ParseResult,
} from '../../fields/index.js';
import { isPlainObject } from '../../text/is-plain-object.js';
import { keyColumn, type RecordName } from '../record-key.js';
import { RecordValidator } from '../record-validator.js';
import { RecordsRepository } from '../records.repository.js';

/** Finds the records that the references of a write name. */
export type FindRecord = NonNullable<FieldEnvironment['findRecord']>;

/** What is sent in `fields`, by one write or by several, as in a request body (clause 2.4). */
export interface SentFields {
  readonly objectType: ObjectType;
  readonly fields: readonly unknown[];
}

/** Finds the records that references name (contract section 7, "References"). */
@Injectable()
export class ReferenceResolver {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly validator: RecordValidator,
  ) {}

  /**
   * Looks for all records that the references of writes name, with one statement; with none where they name
   * no record. An id or key that no active record of the type and account has is not found.
   */
  async resolve(
    account: AccountContext,
    configuration: AccountConfiguration,
    { objectType, fields }: SentFields,
  ): Promise<FindRecord> {
    const references = configuration.catalog.references(objectType);
    const results = new Map<unknown, ParseResult>();
    const sought = new Map<unknown, RecordName>();
    for (const target of fields.flatMap((each) => targetsIn(each, references))) {
      const key = identityOf(target);
      if (results.has(key) || sought.has(key)) continue;
      const found = this.sought(configuration, target);
      if (found === undefined) continue;
      if ('message' in found) results.set(key, found);
      else sought.set(key, found);
    }
    if (sought.size > 0) {
      const db = this.database.for(account);
      const ids = await this.records.findIds(db, account, [...sought.values()]);
      for (const [index, key] of [...sought.keys()].entries()) {
        const id = ids[index];
        if (id !== undefined) results.set(key, { ok: true, value: id });
      }
    }
    return (target) => results.get(identityOf(target));
  }

  /** What is looked for; undefined for what no record has; or why the value of a key is none. */
  private sought(
    configuration: AccountConfiguration,
    { objectType, property, value }: NamedTarget,
  ): RecordName | (ParseResult & { readonly ok: false }) | undefined {
    if (property === 'id') {
      return typeof value === 'string' && isId(value) ? { objectType, by: 'id', name: value } : undefined;
    }
    const named = { property, value: value as string };
    const result = this.validator.key(configuration, objectType, named);
    if (result.key !== undefined) return { objectType, by: keyColumn(property), name: result.key.value };
    return { ok: false, message: result.error.message };
  }
}

/** What targets that are the same have in common: the same object as value, or the same text or number. */
function identityOf({ objectType, property, value }: NamedTarget): unknown {
  if (typeof value === 'object' && value !== null) return value;
  return JSON.stringify([objectType, property, value]);
}

/** Whether a reference among fields names a record of a type by a key. @param references of the type */
export function namesByKey(
  fields: unknown,
  references: readonly FieldDefinition[],
  objectType: ObjectType,
): boolean {
  return targetsIn(fields, references).some(
    (target) => target.objectType === objectType && target.property !== 'id',
  );
}

/** Returns the records that the values of references name, as far as they have the form of one. */
function targetsIn(fields: unknown, references: readonly FieldDefinition[]): NamedTarget[] {
  if (references.length === 0 || !isPlainObject(fields)) return [];
  return references.flatMap((field) => {
    const { internalName } = field;
    const value = Object.hasOwn(fields, internalName) ? fields[internalName] : null;
    return value === null || value === '' ? [] : (namedTarget(value, field) ?? []);
  });
}
