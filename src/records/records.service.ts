import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../configuration/index.js';
import { Database, isId } from '../database/index.js';
import { ReturnedTurns } from '../dispatch/index.js';
import { conflict, invalid, notFound } from '../errors/errors.js';
import {
  FieldTypeRegistry,
  OBJECT_TYPE_RULES,
  ownerChanges,
  shownName,
  validateFields,
  type ObjectType,
} from '../fields/index.js';
import { page, type Page, type PageRequest } from '../http/index.js';
import { recordView, type RecordView } from './record-view.js';
import { RecordsRepository, type RecordWrite } from './records.repository.js';

/** Records of the four object types (clauses 2 to 4.4). */
@Injectable()
export class RecordsService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly configurations: ConfigurationCache,
    private readonly fieldTypes: FieldTypeRegistry,
    private readonly reimbursements: ReturnedTurns,
  ) {}

  /** Creates a record. @throws 400 for failing fields or properties, 409 for a duplicate. */
  create(
    client: ClientContext,
    objectType: ObjectType,
    fields: unknown,
    properties: readonly string[],
  ): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const extras = resolveExtras(configuration, objectType, properties);
      const write = this.validate(configuration, objectType, 'create', fields);
      const row = await this.records.insert(this.database, client, objectType, write);
      return row === undefined ? OUTDATED : recordView(objectType, row, extras);
    });
  }

  /** Reads a record, active or archived. @throws 404; 400 for failing properties. */
  async get(
    client: ClientContext,
    objectType: ObjectType,
    id: string,
    properties: readonly string[],
  ): Promise<RecordView> {
    const extras = await this.extras(client, objectType, properties);
    const row = isId(id) ? await this.records.find(this.database, client, objectType, id) : undefined;
    if (row === undefined) throw recordNotFound(objectType);
    return recordView(objectType, row, extras);
  }

  /** Lists records in creation order. @throws 400 for failing properties. */
  async list(
    client: ClientContext,
    objectType: ObjectType,
    request: PageRequest,
    properties: readonly string[],
  ): Promise<Page<RecordView>> {
    const extras = await this.extras(client, objectType, properties);
    const { rows, count } = await this.records.list(this.database, client, objectType, request);
    return page(
      rows.map((row) => recordView(objectType, row, extras)),
      request,
      count,
    );
  }

  /**
   * Updates fields of an active record.
   * @throws 400 for failing fields or properties, 404, 409 for a duplicate (with `field`) or an archived record.
   */
  update(
    client: ClientContext,
    objectType: ObjectType,
    id: string,
    fields: unknown,
    properties: readonly string[],
  ): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const extras = resolveExtras(configuration, objectType, properties);
      const write = this.validate(configuration, objectType, 'update', fields);
      if (!isId(id)) throw recordNotFound(objectType);
      const change = { objectType, objectId: id, changes: write.changes };
      const row = await this.reimbursements.around(client, configuration, change, (db) =>
        this.records.update(db, client, objectType, id, write),
      );
      if (row !== undefined) return recordView(objectType, row, extras);
      const present = await this.records.find(this.database, client, objectType, id);
      if (present === undefined) throw recordNotFound(objectType);
      if (present.archived_at !== null) {
        throw conflict(`This ${OBJECT_TYPE_RULES[objectType].singular} is archived and cannot be changed`);
      }
      return OUTDATED;
    });
  }

  /** Archives an active record. @throws 404, also for a record that is archived already. */
  async archive(client: ClientContext, objectType: ObjectType, id: string): Promise<RecordView> {
    const row = isId(id)
      ? await this.records.archive(this.database, client, objectType, id, client.clientId)
      : undefined;
    if (row === undefined) throw recordNotFound(objectType);
    return recordView(objectType, row);
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
    configuration: AccountConfiguration,
    objectType: ObjectType,
    mode: 'create' | 'update',
    fields: unknown,
  ): RecordWrite {
    const { version, catalog, directory } = configuration;
    const environment = { findUser: (idOrEmail: string) => directory.findUser(idOrEmail) };
    const result = validateFields(
      fields,
      { mode, objectType },
      { catalog, types: this.fieldTypes, environment },
    );
    if (!result.ok) throw invalid(result.errors);
    return { version, changes: result.changes, owners: ownerChanges(result.changes, objectType, catalog) };
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
