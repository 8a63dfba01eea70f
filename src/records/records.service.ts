import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache, OUTDATED } from '../configuration/index.js';
import { Database, isId, type Transaction } from '../database/index.js';
import { Failures, invalidField } from '../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType } from '../fields/index.js';
import {
  cursorBehind,
  jsonPage,
  PAGE_ROWS,
  pageStart,
  type Page,
  type PageRequest,
} from '../paging/index.js';
import { RecordHooks } from './record-hooks.js';
import { resolveExtras, type RecordAddress, type RecordSelection } from './record-validator.js';
import { recordView, shownViews, type RecordView, type ShownViews } from './record-view.js';
import { RecordWriter, type Fields, type Versions } from './record-writer.js';
import {
  recordActive,
  recordArchived,
  recordNotFound,
  requireRoom,
  requireVersion,
} from './record.errors.js';
import { RecordsRepository, type RecordKey } from './records.repository.js';
import { shownIn, type StoredRecord } from './stored-record.js';

/** The part of a list that a request asks for. */
export interface RecordPageRequest extends PageRequest, RecordSelection {
  /** The `next` of the page before; not together with an offset. */
  readonly after?: string | undefined;
}

/**
 * Reads and writes records of the four object types (clauses 2 to 4.4): any by their ids, active ones by
 * their unique keys (contract section 7, "By key"). A write by a key applies to the record that has the key
 * when it is written. Only where nothing was written, the record is read to say why.
 */
@Injectable()
export class RecordsService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly configurations: ConfigurationCache,
    private readonly hooks: RecordHooks,
    private readonly writer: RecordWriter,
  ) {}

  /**
   * Creates a record.
   * @param record `fields`: values by internal name as in a request body (clause 2.4)
   * @throws DomainError 400 for failing fields or properties and for a record that is too large, 409 for a
   *   duplicate (with `field`)
   */
  create(
    client: ClientContext,
    { objectType, fields }: Fields & { readonly objectType: ObjectType },
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields, mode: 'create' } as const;
      const { values, extras } = await this.writer.validated(client, sent, { configuration, selection });
      const { changes } = values;
      const planned = { action: 'create', client, objectType, id: null, changes, configuration } as const;
      const row = await this.hooks.around(planned, (db) => this.records.insert(db, client, values));
      return row === undefined ? OUTDATED : recordView(shownIn(configuration, row), extras);
    });
  }

  /**
   * Reads a record: by its id an active or archived one.
   * @throws DomainError 404; 400 for failing properties
   */
  async get(
    client: ClientContext,
    address: RecordAddress,
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    const { objectType } = address;
    const shown = await this.shown(client, objectType, selection);
    const record = await this.writer.nameOf(client, address);
    const view =
      record && (await this.records.findView(this.database.for(client), client, { ...record, ...shown }));
    if (view === undefined) throw recordNotFound(objectType);
    return view;
  }

  /**
   * Lists records in creation order. A page has fewer records than `limit` where its answer would exceed
   * 10 MiB, but at least one.
   * @throws DomainError 400 for failing properties, more than 100 rows, a bad `after`, or one together with
   *   an offset
   */
  async list(
    client: ClientContext,
    objectType: ObjectType,
    { properties = [], failures, after, ...request }: RecordPageRequest,
  ): Promise<Page<RecordView>> {
    const shown = await this.shown(client, objectType, { properties, failures });
    if (request.limit > PAGE_ROWS) throw invalidField('limit', `limit must be at most ${PAGE_ROWS}`);
    const behind = pageStart(after, request.offset);
    const asked = { ...request, behind, ...shown, counts: true };
    const { parts, last, count, more } = await this.records.list(this.database.for(client), client, asked);
    const next = more && last !== undefined ? cursorBehind(last) : null;
    const { limit, offset } = request;
    return jsonPage(parts, { limit, offset, count, next });
  }

  /**
   * Updates fields of an active record.
   * @param record `fields`: values by internal name as in a request body (clause 2.4)
   * @throws DomainError 400 for failing fields or properties and for a record that would be too large, 404,
   *   409 for a duplicate (with `field`) or an archived record, 412 where it has none of the versions
   */
  update(
    client: ClientContext,
    { fields, versions, ...address }: RecordAddress & Fields & Versions,
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    const { objectType } = address;
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields, mode: 'update' } as const;
      const { values, extras } = await this.writer.validated(client, sent, { configuration, selection });
      const record = this.writer.name(configuration, address);
      if (record === undefined) throw recordNotFound(objectType);
      return this.writer.again(client, configuration, async () => {
        const row = await this.writer.change(client, configuration, { record, values, versions });
        if (row !== undefined) return recordView(shownIn(configuration, row), extras);
        const present = await this.writer.present(client, record);
        if (present === undefined) throw recordNotFound(objectType);
        requireVersion(present, versions);
        if (present.archived_at !== null) throw recordArchived(objectType);
        requireRoom(present.fields, values);
        return undefined;
      });
    });
  }

  /**
   * Archives an active record.
   * @throws DomainError 404, also for a record that is archived already, 412 where it has none of the
   *   versions
   */
  archive(client: ClientContext, { versions, ...address }: RecordAddress & Versions): Promise<RecordView> {
    const { objectType } = address;
    return this.configurations.use(client, async (configuration) => {
      const record = this.writer.name(configuration, address);
      if (record === undefined) throw recordNotFound(objectType);
      const { by, name } = record;
      const archive = { objectType, by, names: [name], versions, archivedBy: client.clientId };
      return this.writer.again(client, configuration, async () => {
        const move = { action: 'archive', record } as const;
        const view = await this.writer.moved(
          client,
          move,
          async (db) => (await this.records.archive(db, client, archive))[0],
        );
        if (view !== undefined) return view;
        const present = await this.writer.present(client, record);
        if (present?.archived_at !== null) throw recordNotFound(objectType);
        requireVersion(present, versions);
        return undefined;
      });
    });
  }

  /**
   * Makes an archived record active again, as it was.
   * @throws DomainError 404, 409 `not_archived` for an active record, 409 for a duplicate where
   *   another active record has one of its keys by now, 412 where it has none of the versions
   */
  async restore(client: ClientContext, target: RecordKey & Versions): Promise<RecordView> {
    const { objectType, id, versions } = target;
    const record = await this.writer.nameOf(client, { objectType, id });
    const found = record && (await this.writer.present(client, record));
    if (record === undefined || found === undefined) throw recordNotFound(objectType);
    const view = await this.writer.moved(client, { action: 'restore', record }, (db) =>
      this.records.restore(db, client, { ...target, fields: found.fields }),
    );
    if (view !== undefined) return view;
    requireVersion((await this.writer.present(client, record)) ?? found, versions);
    throw recordActive(objectType);
  }

  /**
   * Locks an active record until the transaction ends, so that nobody changes, archives or assigns it
   * before. It is for what is written beside a record in tables of an extension.
   * @throws DomainError 404, 409 for an archived record
   */
  async lock(tx: Transaction, account: AccountContext, { objectType, id }: RecordKey): Promise<StoredRecord> {
    if (!isId(id)) throw recordNotFound(objectType);
    const record = await this.records.lock(tx, account, { objectType, id });
    if (record !== undefined) return record;
    const [archivedOne] = await this.records.findIds(tx, account, { objectType, by: 'id', names: [id] });
    throw archivedOne === undefined ? recordNotFound(objectType) : recordArchived(objectType);
  }

  /**
   * Resolves the properties of an answer.
   * @throws DomainError 400 for these and for what is wrong already
   * @internal
   */
  async shown(
    client: ClientContext,
    objectType: ObjectType,
    selection: RecordSelection,
  ): Promise<ShownViews> {
    if ((selection.properties ?? []).length === 0) {
      selection.failures?.throwIfAny();
      return shownViews(objectType, [], [OBJECT_TYPE_RULES[objectType].ownerField]);
    }
    return this.configurations.use(client, (configuration) => {
      const failures = new Failures();
      const extras = resolveExtras(configuration, objectType, { selection, failures });
      failures.throwIfAny();
      const userFields = configuration.catalog.userFieldNames(objectType);
      return Promise.resolve(shownViews(objectType, extras, userFields));
    });
  }
}
