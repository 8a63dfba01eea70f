import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache } from '../configuration/index.js';
import { Database } from '../database/index.js';
import { Failures, preconditionFailed } from '../errors/errors.js';
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
import { upsertFields } from './upsert-fields.js';

/** A record as a client names it. */
export interface RecordAddress {
  readonly objectType: ObjectType;
  /** The id; with `property`, the value of that key, in any form that the field takes. */
  readonly id: string;
  /** A unique key of the type; undefined for the id. */
  readonly property?: string | undefined;
}

/** An address by a unique key. */
type KeyedAddress = RecordAddress & { readonly property: string };

const isKeyed = (record: RecordAddress): record is KeyedAddress => record.property !== undefined;

/** Values by internal name as in a request body (clause 2.4). */
interface Fields {
  readonly fields: unknown;
}

interface Upsert extends Fields {
  /** What a new record gets, where that is more than what is changed of one that is there. */
  readonly whole?: unknown;
  /** The id of the record for which `fields` are: another one gets `whole`. Undefined for any record. */
  readonly of?: string | undefined;
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
 * Reads and writes records by their ids, or active ones by their unique keys (contract section 7, "By key").
 * Keys move between records: a write applies only to a record that has the key when it is written, and
 * otherwise looks for it again.
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

  /** Reads a record. @throws DomainError 404; 400 for failing properties */
  async get(client: ClientContext, record: RecordAddress, selection: RecordSelection): Promise<RecordView> {
    const { objectType, id, property } = record;
    if (property === undefined) return this.records.get(client, { objectType, id }, selection);
    const { extras, userFields } = await this.records.extras(client, objectType, selection);
    const { key } = await this.keyOf(client, { objectType, id, property });
    const asked = { objectType, extras: addedNames(objectType, extras), userFields };
    const view =
      key && (await this.repository.findView(this.database.for(client), client, { ...asked, key }));
    if (view === undefined) throw recordNotFound(objectType);
    return view;
  }

  /** Updates an active record. @throws as `RecordsService.update` */
  update(
    client: ClientContext,
    { fields, versions, ...record }: RecordAddress & Fields & Versions,
    selection: RecordSelection,
  ): Promise<RecordView> {
    return this.found(client, record, (target) =>
      this.records.update(client, { ...target, versions, fields }, selection),
    );
  }

  /** Archives an active record. @throws as `RecordsService.archive` */
  archive(client: ClientContext, { versions, ...record }: RecordAddress & Versions): Promise<RecordView> {
    return this.found(client, record, (target) => this.records.archive(client, { ...target, versions }));
  }

  /**
   * Updates the active record that has the key, or creates it with that key. Requests for one key that arrive
   * together create one record.
   * @param record without `property` where the request does not say by which key, which is a failure of it
   * @returns `created`: whether the record is new
   * @throws DomainError 400 for failing fields or properties, for a key that the field cannot have or that is
   *   not that of the fields, and for a record that would be too large; 409 for a duplicate of another key;
   *   412 where a precondition does not hold
   */
  async upsert(
    client: ClientContext,
    { fields, whole: ofNew = fields, of, preconditions = {}, ...record }: RecordAddress & Upsert,
    { properties = [], failures: found }: RecordSelection,
  ): Promise<{ readonly record: RecordView; readonly created: boolean }> {
    const failures = new Failures();
    if (found !== undefined) failures.take(found);
    const selection = { properties, failures };
    const { objectType } = record;
    const key = isKeyed(record) ? await this.requestedKey(client, record, { fields, failures }) : undefined;
    const { changed, whole } =
      key === undefined ? { changed: fields, whole: fields } : upsertFields({ fields, whole: ofNew }, key);
    if (key === undefined || failures.any) {
      // Finds all else that is wrong, and throws it.
      const none = await this.records.update(client, { objectType, id: NO_ID, fields: changed }, selection);
      return { record: none, created: false };
    }
    return this.again(async () => {
      const id = await this.idOf(client, objectType, key);
      const isNew = id === undefined;
      requireState(objectType, isNew, preconditions);
      const { versions } = preconditions;
      const sent = of === undefined || of === id ? changed : whole;
      const written = isNew
        ? await this.records
            .create(client, { objectType, fields: whole }, selection)
            .catch(lostIf(objectType, key))
        : await this.records.update(client, { objectType, id, key, versions, fields: sent }, selection);
      return { record: written, created: isNew };
    });
  }

  /** Does a write of the record that has an address, again where its key moves meanwhile. */
  private async found<T>(
    client: ClientContext,
    { objectType, id, property }: RecordAddress,
    write: (target: RecordTarget) => Promise<T>,
  ): Promise<T> {
    if (property === undefined) return write({ objectType, id });
    const { key } = await this.keyOf(client, { objectType, id, property });
    return this.again(async () => {
      const found = await this.idOf(client, objectType, key);
      return write({ objectType, id: found ?? NO_ID, key });
    });
  }

  /** The key of an upsert, of which the fields may say the same. Adds what is wrong with it to `failures`. */
  private async requestedKey(
    client: ClientContext,
    record: KeyedAddress,
    { fields, failures }: Fields & { readonly failures: Failures },
  ): Promise<KeyValue | undefined> {
    const { property } = record;
    const result = await this.keyOf(client, record);
    if (result.key === undefined) {
      failures.addFields([result.error ?? { field: property, message: `${property} must not be empty` }]);
      return undefined;
    }
    if (isPlainObject(fields) && Object.hasOwn(fields, property)) {
      const same = await this.keyOf(client, { ...record, id: fields[property] as string });
      if (same.key?.value !== result.key.value) failures.addFields([contradiction(result.key)]);
    }
    return result.key;
  }

  /** The key as it is stored; undefined for one that no record can have. */
  private keyOf(
    client: ClientContext,
    { objectType, id: value, property }: KeyedAddress,
  ): Promise<ReturnType<RecordValidator['key']>> {
    return this.configurations.use(client, (configuration) =>
      Promise.resolve(this.validator.key(configuration, objectType, { property, value })),
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
