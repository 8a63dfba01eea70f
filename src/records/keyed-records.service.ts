import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache } from '../configuration/index.js';
import { Database } from '../database/index.js';
import { Failures } from '../errors/failures.js';
import type { ObjectType } from '../fields/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { shownName } from '../text/shown-name.js';
import { DuplicateRecordError } from './duplicate-record.error.js';
import { KeyLostError } from './key-lost.error.js';
import type { KeyValue } from './record-key.js';
import { RecordValidator, type RecordSelection } from './record-validator.js';
import { addedNames, type RecordView } from './record-view.js';
import { RecordsRepository } from './records.repository.js';
import { recordNotFound, RecordsService } from './records.service.js';

/** A record as a client names it: by a unique key of its type. */
export interface NamedRecord {
  readonly objectType: ObjectType;
  /** `value`: in any form that the field takes. */
  readonly named: KeyValue;
}

/** Values by internal name as in a request body (clause 2.4). */
interface Fields {
  readonly fields: unknown;
}

/** No record has this id. */
const NO_ID = '';

/**
 * Reads and writes active records by their unique keys (contract section 7, "By key"). Keys move between
 * records: a write applies only to a record that has the key when it is written, and otherwise looks for it
 * again, until the request is out of time.
 */
@Injectable()
export class KeyedRecordsService {
  constructor(
    private readonly database: Database,
    private readonly repository: RecordsRepository,
    private readonly configurations: ConfigurationCache,
    private readonly validator: RecordValidator,
    private readonly records: RecordsService,
  ) {}

  /** Reads an active record. @throws DomainError 404; 400 for failing properties */
  async get(client: ClientContext, record: NamedRecord, selection: RecordSelection): Promise<RecordView> {
    const { objectType } = record;
    const { extras, userFields } = await this.records.extras(client, objectType, selection);
    const key = await this.keyOf(client, record);
    const asked = { objectType, extras: addedNames(objectType, extras), userFields };
    const view =
      key && (await this.repository.findView(this.database.for(client), client, { ...asked, key }));
    if (view === undefined) throw recordNotFound(objectType);
    return view;
  }

  /** Updates an active record. @throws as `RecordsService.update` */
  async update(
    client: ClientContext,
    { fields, ...record }: NamedRecord & Fields,
    selection: RecordSelection,
  ): Promise<RecordView> {
    const { objectType } = record;
    const key = await this.keyOf(client, record);
    return this.again(async () => {
      const id = await this.idOf(client, objectType, key);
      return this.records.update(client, { objectType, id: id ?? NO_ID, key, fields }, selection);
    });
  }

  /** Archives an active record. @throws DomainError 404 */
  async archive(client: ClientContext, record: NamedRecord): Promise<RecordView> {
    const { objectType } = record;
    const key = await this.keyOf(client, record);
    return this.again(async () => {
      const id = await this.idOf(client, objectType, key);
      return this.records.archive(client, { objectType, id: id ?? NO_ID, key });
    });
  }

  /**
   * Updates the active record that has the key, or creates it with that key. Requests for one key that arrive
   * together create one record.
   * @returns `created`: whether the record is new
   * @throws DomainError 400 for failing fields or properties, for a key that the field cannot have or that is
   *   not that of the fields, and for a record that would be too large; 409 for a duplicate of another key
   */
  async upsert(
    client: ClientContext,
    { fields, ...record }: NamedRecord & Fields,
    { properties = [], failures: found }: RecordSelection,
  ): Promise<{ readonly record: RecordView; readonly created: boolean }> {
    const { objectType, named } = record;
    const { property } = named;
    const key = await this.keyOf(client, record);
    const failures = new Failures();
    if (found !== undefined) failures.take(found);
    const [given, others] = divide(fields, property);
    if (given !== undefined && key !== undefined) {
      const same = await this.keyOf(client, { objectType, named: { property, value: given as string } });
      if (same?.value !== key.value) failures.addFields([contradiction(key)]);
    }
    const selection = { properties, failures };
    const whole = isPlainObject(others) ? { [property]: named.value, ...others } : others;
    return this.again(async () => {
      const id = await this.idOf(client, objectType, key);
      const isNew = id === undefined;
      const written = isNew
        ? await this.records.create(client, { objectType, fields: whole }, selection).catch(lostIf(property))
        : await this.records.update(client, { objectType, id, key, fields: others }, selection);
      return { record: written, created: isNew };
    });
  }

  /** The key as it is stored; undefined for one that no record can have. */
  private keyOf(client: ClientContext, { objectType, named }: NamedRecord): Promise<KeyValue | undefined> {
    return this.configurations.use(client, (configuration) =>
      Promise.resolve(this.validator.key(configuration, objectType, named)),
    );
  }

  private async idOf(
    client: ClientContext,
    objectType: ObjectType,
    key: KeyValue | undefined,
  ): Promise<string | undefined> {
    if (key === undefined) return undefined;
    return this.repository.findId(this.database.for(client), client, { objectType, key });
  }

  /** Each turn asks the database, which ends with the time of the request. */
  private async again<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof KeyLostError)) throw error;
      }
    }
  }
}

/** Returns the value of a field among others, undefined where it is not there, and the others. */
function divide(fields: unknown, property: string): [given: unknown, others: unknown] {
  if (!isPlainObject(fields) || !Object.hasOwn(fields, property)) return [undefined, fields];
  const { [property]: given, ...others } = fields;
  return [given, others];
}

/** Returns a handler of errors for which another request that has taken the key meanwhile is no failure. */
function lostIf(property: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof DuplicateRecordError && error.fields.includes(property)) throw new KeyLostError();
    throw error;
  };
}

function contradiction({ property, value }: KeyValue): { readonly field: string; readonly message: string } {
  return { field: property, message: `${property} must be that of the path, ${shownName(value)}, or absent` };
}
