import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache } from '../configuration/index.js';
import { Database } from '../database/index.js';
import { preconditionFailed } from '../errors/errors.js';
import { Failures } from '../errors/failures.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import type { Preconditions } from '../http/index.js';
import { isPlainObject } from '../text/is-plain-object.js';
import { shownName } from '../text/shown-name.js';
import { DuplicateRecordError } from './duplicate-record.error.js';
import { KeyLostError } from './key-lost.error.js';
import type { KeyValue } from './record-key.js';
import { RecordValidator, type RecordSelection } from './record-validator.js';
import { addedNames, type RecordView } from './record-view.js';
import { RecordsRepository, type RecordTarget } from './records.repository.js';
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

interface Upsert extends Fields {
  readonly objectType: ObjectType;
  readonly named: KeyValue | undefined;
  readonly preconditions?: Preconditions;
}

type Versions = Pick<RecordTarget, 'versions'>;

/** No record has this id. */
const NO_ID = '';

/**
 * Milliseconds in which a write is tried anew whose key others take or give back in the meantime. A number of
 * attempts would be used up in no time by whoever moves the key, where the machine is busy.
 */
const PATIENCE = 5_000;

/** The most milliseconds between two of these attempts. */
const PAUSE = 20;

/**
 * Reads and writes active records by their unique keys (contract section 7, "By key"). Keys move between
 * records: a write applies only to a record that has the key when it is written, and otherwise looks for it
 * again.
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
    const { key } = await this.keyOf(client, record);
    const asked = { objectType, extras: addedNames(objectType, extras), userFields };
    const view =
      key && (await this.repository.findView(this.database.for(client), client, { ...asked, key }));
    if (view === undefined) throw recordNotFound(objectType);
    return view;
  }

  /** Updates an active record. @throws as `RecordsService.update` */
  async update(
    client: ClientContext,
    { fields, versions, ...record }: NamedRecord & Fields & Versions,
    selection: RecordSelection,
  ): Promise<RecordView> {
    const { objectType } = record;
    const { key } = await this.keyOf(client, record);
    return this.again(async () => {
      const id = await this.idOf(client, objectType, key);
      return this.records.update(client, { objectType, id: id ?? NO_ID, key, versions, fields }, selection);
    });
  }

  /** Archives an active record. @throws as `RecordsService.archive` */
  async archive(client: ClientContext, { versions, ...record }: NamedRecord & Versions): Promise<RecordView> {
    const { objectType } = record;
    const { key } = await this.keyOf(client, record);
    return this.again(async () => {
      const id = await this.idOf(client, objectType, key);
      return this.records.archive(client, { objectType, id: id ?? NO_ID, key, versions });
    });
  }

  /**
   * Updates the active record that has the key, or creates it with that key. Requests for one key that arrive
   * together create one record.
   * @param record `named` is undefined where the request does not say by which key, which is a failure of it
   * @returns `created`: whether the record is new
   * @throws DomainError 400 for failing fields or properties, for a key that the field cannot have or that is
   *   not that of the fields, and for a record that would be too large; 409 for a duplicate of another key;
   *   412 where a precondition does not hold
   */
  async upsert(
    client: ClientContext,
    { objectType, named, fields, preconditions = {} }: Upsert,
    { properties = [], failures: found }: RecordSelection,
  ): Promise<{ readonly record: RecordView; readonly created: boolean }> {
    const failures = new Failures();
    if (found !== undefined) failures.take(found);
    const selection = { properties, failures };
    const key = named && (await this.requestedKey(client, { objectType, named }, { fields, failures }));
    const others = key === undefined ? fields : without(fields, key.property);
    if (key === undefined || failures.any) {
      // Finds all else that is wrong, and throws it.
      const record = await this.records.update(client, { objectType, id: NO_ID, fields: others }, selection);
      return { record, created: false };
    }
    const { property } = key;
    const whole = isPlainObject(others) ? { [property]: key.value, ...others } : others;
    return this.again(async () => {
      const id = await this.idOf(client, objectType, key);
      const isNew = id === undefined;
      requireState(objectType, isNew, preconditions);
      const { versions } = preconditions;
      const written = isNew
        ? await this.records
            .create(client, { objectType, fields: whole }, selection)
            .catch(lostIf(objectType, key))
        : await this.records.update(client, { objectType, id, key, versions, fields: others }, selection);
      return { record: written, created: isNew };
    });
  }

  /** The key of an upsert, of which the fields may say the same. Adds what is wrong with it to `failures`. */
  private async requestedKey(
    client: ClientContext,
    record: NamedRecord,
    { fields, failures }: Fields & { readonly failures: Failures },
  ): Promise<KeyValue | undefined> {
    const { objectType, named } = record;
    const { property } = named;
    const result = await this.keyOf(client, record);
    if (result.key === undefined) {
      failures.addFields([result.error ?? { field: property, message: `${property} must not be empty` }]);
      return undefined;
    }
    if (isPlainObject(fields) && Object.hasOwn(fields, property)) {
      const value = fields[property] as string;
      const same = await this.keyOf(client, { objectType, named: { property, value } });
      if (same.key?.value !== result.key.value) failures.addFields([contradiction(result.key)]);
    }
    return result.key;
  }

  /** The key as it is stored; undefined for one that no record can have. */
  private keyOf(
    client: ClientContext,
    { objectType, named }: NamedRecord,
  ): Promise<ReturnType<RecordValidator['key']>> {
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

  /** @throws the last failure where the key is lost for so long */
  private async again<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof KeyLostError)) throw error;
        if (performance.now() - started > PATIENCE) throw error.last;
        await delay(Math.random() * Math.min(attempt, PAUSE));
      }
    }
  }
}

/** @throws DomainError 412 where there is or is not a record, and a precondition wants it otherwise */
function requireState(
  objectType: ObjectType,
  isNew: boolean,
  { exists, isNew: wanted }: Preconditions,
): void {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  if (isNew && exists === true) throw preconditionFailed(`There is no ${singular} as If-Match says`);
  if (!isNew && wanted === true)
    throw preconditionFailed(`A ${singular} has this key already (If-None-Match: *)`);
}

/** Returns the values of the fields but for one. */
function without(fields: unknown, property: string): unknown {
  if (!isPlainObject(fields) || !Object.hasOwn(fields, property)) return fields;
  const { [property]: _, ...others } = fields;
  return others;
}

/** Returns a handler of errors for which another request that has taken the key meanwhile is no failure. */
function lostIf(objectType: ObjectType, { property }: KeyValue): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DuplicateRecordError) || !error.concerns(objectType, property)) throw error;
    throw new KeyLostError(error);
  };
}

function contradiction({ property, value }: KeyValue): { readonly field: string; readonly message: string } {
  return { field: property, message: `${property} must be that of the path, ${shownName(value)}, or absent` };
}
