import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../configuration/index.js';
import { Database, isId, type Transaction } from '../database/index.js';
import { conflict, invalid, notFound } from '../errors/errors.js';
import {
  FieldTypeRegistry,
  OBJECT_TYPE_RULES,
  ownerChanges,
  validateFields,
  type ObjectType,
} from '../fields/index.js';
import { page, type Page, type PageRequest } from '../http/index.js';
import { shownName } from '../text/shown-name.js';
import { RecordHooks } from './record-hooks.js';
import { recordView, type RecordView } from './record-view.js';
import { RecordsRepository, type RecordKey, type RecordValues } from './records.repository.js';
import type { StoredRecord } from './stored-record.js';

/** The fields that an answer contains in addition to the default fields of the type (clause 2.3). */
export interface RecordSelection {
  /** Names of fields, system-managed ones included. */
  readonly properties?: readonly string[];
}

/** Reads and writes records of the four object types (clauses 2 to 4.4). */
@Injectable()
export class RecordsService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly configurations: ConfigurationCache,
    private readonly fieldTypes: FieldTypeRegistry,
    private readonly hooks: RecordHooks,
  ) {}

  /**
   * Creates a record.
   * @param record `fields`: values by internal name as in a request body (clause 2.4)
   * @throws DomainError 400 for failing fields or properties, 409 for a duplicate (with `field`)
   */
  create(
    client: ClientContext,
    { objectType, fields }: { readonly objectType: ObjectType; readonly fields: unknown },
    { properties = [] }: RecordSelection = {},
  ): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const extras = resolveExtras(configuration, objectType, properties);
      const values = this.validate(configuration, { objectType, fields, mode: 'create' });
      const { changes } = values;
      const write = { action: 'create', client, objectType, id: null, changes, configuration } as const;
      const row = await this.hooks.around(write, (db) => this.records.insert(db, client, values));
      return row === undefined ? OUTDATED : recordView(row, extras);
    });
  }

  /** Reads a record, active or archived. @throws DomainError 404; 400 for failing properties */
  async get(
    client: ClientContext,
    { objectType, id }: RecordKey,
    { properties = [] }: RecordSelection = {},
  ): Promise<RecordView> {
    const extras = await this.extras(client, objectType, properties);
    const row = isId(id) ? await this.records.find(this.database, client, { objectType, id }) : undefined;
    if (row === undefined) throw recordNotFound(objectType);
    return recordView(row, extras);
  }

  /** Lists records in creation order. @throws DomainError 400 for failing properties */
  async list(
    client: ClientContext,
    objectType: ObjectType,
    { properties = [], ...request }: PageRequest & RecordSelection,
  ): Promise<Page<RecordView>> {
    const extras = await this.extras(client, objectType, properties);
    const { rows, count } = await this.records.list(this.database, client, { objectType, ...request });
    return page(
      rows.map((row) => recordView(row, extras)),
      request,
      count,
    );
  }

  /**
   * Updates fields of an active record.
   * @param record `fields`: values by internal name as in a request body (clause 2.4)
   * @throws DomainError 400 for failing fields or properties, 404, 409 for a duplicate (with `field`) or an
   *   archived record
   */
  update(
    client: ClientContext,
    { objectType, id, fields }: RecordKey & { readonly fields: unknown },
    { properties = [] }: RecordSelection = {},
  ): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const extras = resolveExtras(configuration, objectType, properties);
      const values = this.validate(configuration, { objectType, fields, mode: 'update' });
      if (!isId(id)) throw recordNotFound(objectType);
      const { changes } = values;
      const write = { action: 'update', client, objectType, id, changes, configuration } as const;
      const row = await this.hooks.around(write, (db) => this.records.update(db, client, { ...values, id }));
      if (row !== undefined) return recordView(row, extras);
      const present = await this.records.find(this.database, client, { objectType, id });
      if (present === undefined) throw recordNotFound(objectType);
      if (present.archived_at !== null) throw recordArchived(objectType);
      return OUTDATED;
    });
  }

  /** Archives an active record. @throws DomainError 404, also for a record that is archived already */
  async archive(client: ClientContext, { objectType, id }: RecordKey): Promise<RecordView> {
    if (!isId(id)) throw recordNotFound(objectType);
    const changes = new Map<string, string | null>();
    const write = { action: 'archive', client, objectType, id, changes, configuration: null } as const;
    const archivedBy = client.clientId;
    const row = await this.hooks.around(write, (db) =>
      this.records.archive(db, client, { objectType, id, archivedBy }),
    );
    if (row === undefined) throw recordNotFound(objectType);
    return recordView(row);
  }

  /**
   * Locks an active record until the transaction ends, so that nobody changes, archives or assigns it before. It is for
   * what is written beside a record in tables of an extension.
   * @throws DomainError 404, 409 for an archived record
   */
  async lock(tx: Transaction, account: AccountContext, { objectType, id }: RecordKey): Promise<StoredRecord> {
    if (!isId(id)) throw recordNotFound(objectType);
    const record = await this.records.lock(tx, account, { objectType, id });
    if (record !== undefined) return record;
    const isPresent = (await this.records.find(tx, account, { objectType, id })) !== undefined;
    throw isPresent ? recordArchived(objectType) : recordNotFound(objectType);
  }

  private extras(
    client: ClientContext,
    objectType: ObjectType,
    properties: readonly string[],
  ): Promise<readonly string[]> {
    if (properties.length === 0) return Promise.resolve([]);
    return this.configurations.use(client, (configuration) =>
      Promise.resolve(resolveExtras(configuration, objectType, properties)),
    );
  }

  private validate(
    { version, catalog, directory }: AccountConfiguration,
    {
      objectType,
      fields,
      mode,
    }: { readonly objectType: ObjectType; readonly fields: unknown; readonly mode: 'create' | 'update' },
  ): RecordValues {
    const environment = { findUser: (idOrEmail: string) => directory.findUser(idOrEmail) };
    const result = validateFields(
      fields,
      { mode, objectType },
      { catalog, types: this.fieldTypes, environment },
    );
    if (!result.ok) throw invalid(result.errors);
    const owners = ownerChanges(result.changes, objectType, catalog);
    return { objectType, version, changes: result.changes, owners };
  }
}

function resolveExtras(
  { catalog }: AccountConfiguration,
  objectType: ObjectType,
  properties: readonly string[],
): readonly string[] {
  const { extras, invalid: refused } = catalog.resolveProperties(objectType, properties);
  if (refused.length > 0) {
    throw invalid(
      refused.map((name) => ({
        field: 'properties',
        message: name === '' ? 'properties has an empty name' : `Invalid property: ${shownName(name)}`,
      })),
    );
  }
  return extras;
}

function recordNotFound(objectType: ObjectType): Error {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  return notFound(`${singular.charAt(0).toUpperCase()}${singular.slice(1)} not found`);
}

function recordArchived(objectType: ObjectType): Error {
  return conflict(`This ${OBJECT_TYPE_RULES[objectType].singular} is archived and cannot be changed`);
}
