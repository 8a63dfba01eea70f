import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../configuration/index.js';
import { Database, isId, type Transaction } from '../database/index.js';
import { Failures, invalidField, unavailable } from '../errors/errors.js';
import { OBJECT_TYPE_RULES, type FieldChanges, type ObjectType, type WriteKind } from '../fields/index.js';
import {
  cursorBehind,
  jsonPage,
  PAGE_ROWS,
  pageStart,
  type Page,
  type PageRequest,
} from '../paging/index.js';
import { RecordHooks } from './record-hooks.js';
import { idName, type RecordKey, type RecordName } from './record-key.js';
import { listRecords } from './record-pages.js';
import {
  type ExpandedSelection,
  type ExpandedShownViews,
  type ExpandedView,
  expandViews,
  type RecordSelection,
  resolveSelection,
} from './record-selection.js';
import { RecordValidator, type RecordAddress } from './record-validator.js';
import {
  type RecordView,
  shownViews,
  type StoredRecord,
  versionOf,
  viewIn,
  withVersion,
} from './record-view.js';
import {
  recordActive,
  recordArchived,
  recordNotFound,
  requireRoom,
  requireVersion,
} from './record.errors.js';
import { RecordsRepository, type NamedValues } from './records.repository.js';
import { ReferenceResolver } from './references/reference-resolver.js';

/** The part of a list that a request asks for. */
export interface RecordPageRequest extends PageRequest, RecordSelection {
  /** The `next` of the page before; not together with an offset. */
  readonly after?: string | undefined;
}

/** A request in which records are shown in place of references. */
type Expanding = Required<Pick<ExpandedSelection, 'expand'>>;

/** Values by internal name as in a request body (clause 2.4). */
export interface Fields {
  readonly fields: unknown;
}

/** The versions of which the record must have one; undefined for any. */
interface Versions {
  readonly versions?: readonly string[] | undefined;
}

interface ValidationContext {
  readonly configuration: AccountConfiguration;
  readonly selection: RecordSelection;
}

/** An update of a record, of which nothing is wrong so far. */
interface Change extends Versions, Omit<NamedValues, 'name'> {
  readonly record: RecordName;
}

/** What is archived or restored stays as it is. */
const NO_CHANGES: FieldChanges = new Map();

/** Attempts of a write that nothing speaks against: others move its key or shrink the record meanwhile. */
const ATTEMPTS = 100;

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
    private readonly validator: RecordValidator,
    private readonly references: ReferenceResolver,
  ) {}

  /**
   * Creates a record. @param record `fields`: as in a request body (clause 2.4) @throws DomainError 400 for
   * failing fields or properties and for a record that is too large, 409 for a duplicate (with `field`)
   */
  create(
    client: ClientContext,
    { objectType, fields }: Fields & { readonly objectType: ObjectType },
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields, mode: 'create' } as const;
      const { values, extras } = await this.validated(client, sent, { configuration, selection });
      const { changes } = values;
      const planned = { action: 'create', client, objectType, id: null, changes, configuration } as const;
      const row = await this.hooks.around(planned, (db) => this.records.insert(db, client, values));
      return row === undefined ? OUTDATED : viewIn(configuration, row, extras);
    });
  }

  /** Reads a record, by id also an archived one. @throws DomainError 404; 400 for failing properties */
  get(client: ClientContext, address: RecordAddress, selection: Expanding): Promise<ExpandedView>;
  get(client: ClientContext, address: RecordAddress, selection?: RecordSelection): Promise<RecordView>;
  async get(
    client: ClientContext,
    address: RecordAddress,
    selection: ExpandedSelection = {},
  ): Promise<ExpandedView> {
    const { objectType } = address;
    const { expanded, ...shown } = await this.shown(client, objectType, selection);
    const record = await this.nameOf(client, address);
    const db = this.database.for(client);
    const view = record && (await this.records.findView(db, client, { ...record, ...shown }));
    if (view === undefined) throw recordNotFound(objectType);
    if (expanded.size === 0) return view;
    const [text = ''] = await expandViews(db, client, { views: [JSON.stringify(view)], fields: expanded });
    return withVersion(JSON.parse(text) as ExpandedView, versionOf(view));
  }

  /**
   * Lists records in creation order. A page has fewer records than `limit` where its answer would exceed
   * 10 MiB, but at least one.
   * @throws DomainError 400 for failing properties, more than 100 rows, a bad `after`, or one together with
   *   an offset
   */
  list(
    client: ClientContext,
    objectType: ObjectType,
    request: RecordPageRequest & Expanding,
  ): Promise<Page<ExpandedView>>;
  list(client: ClientContext, objectType: ObjectType, request: RecordPageRequest): Promise<Page<RecordView>>;
  async list(
    client: ClientContext,
    objectType: ObjectType,
    { properties = [], expand = [], failures, after, ...request }: RecordPageRequest & ExpandedSelection,
  ): Promise<Page<ExpandedView>> {
    const { expanded, ...shown } = await this.shown(client, objectType, { properties, expand, failures });
    const { limit, offset } = request;
    if (limit > PAGE_ROWS) throw invalidField('limit', `limit must be at most ${PAGE_ROWS}`);
    const asked = { ...request, behind: pageStart(after, offset), ...shown, counts: true };
    const db = this.database.for(client);
    const { views, ids, count, more } = await listRecords(db, client, asked);
    const rows = await expandViews(db, client, { views, fields: expanded });
    const last = ids[rows.length - 1];
    const isEnd = last === undefined || (!more && rows.length === views.length);
    return jsonPage(rows, { limit, offset, count, next: isEnd ? null : cursorBehind(last) });
  }

  /**
   * Updates fields of an active record. @throws DomainError 400 for failing fields or properties and a record
   * that would be too large, 404, 409 for a duplicate (with `field`) or an archived record, 412
   */
  update(
    client: ClientContext,
    { fields, versions, ...address }: RecordAddress & Fields & Versions,
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    const { objectType } = address;
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields, mode: 'update' } as const;
      const { values, extras } = await this.validated(client, sent, { configuration, selection });
      const record = this.validator.name(configuration, address);
      if (record === undefined) throw recordNotFound(objectType);
      return this.again(client, configuration, async () => {
        const row = await this.change(client, configuration, { record, values, versions });
        if (row !== undefined) return viewIn(configuration, row, extras);
        const present = await this.present(client, record);
        if (present === undefined) throw recordNotFound(objectType);
        requireVersion(present, versions);
        if (present.archived_at !== null) throw recordArchived(objectType);
        requireRoom(present.fields, values);
        return undefined;
      });
    });
  }

  /** @throws DomainError 404, also for a record that is archived already, 412 for none of the versions */
  archive(client: ClientContext, { versions, ...address }: RecordAddress & Versions): Promise<RecordView> {
    const { objectType } = address;
    return this.configurations.use(client, async (configuration) => {
      const record = this.validator.name(configuration, address);
      if (record === undefined) throw recordNotFound(objectType);
      const { version } = configuration;
      const moved = { objectType, by: record.by, names: [record.name], version, versions };
      return this.again(client, configuration, async () => {
        const write = { action: 'archive', client, changes: NO_CHANGES, configuration } as const;
        const row = await this.hooks.aroundNamed(
          record,
          write,
          async (db) => (await this.records.archive(db, client, moved))[0],
        );
        if (row !== undefined) return viewIn(configuration, row);
        const present = await this.present(client, record);
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
  restore(client: ClientContext, { objectType, id, versions }: RecordKey & Versions): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const record = idName({ objectType, id });
      return this.again(client, configuration, async () => {
        const present = record && (await this.present(client, record));
        if (record === undefined || present === undefined) throw recordNotFound(objectType);
        const { version } = configuration;
        const moved = { ...record, version, versions, fields: present.fields };
        const write = { action: 'restore', client, changes: NO_CHANGES, configuration } as const;
        const row = await this.hooks.aroundNamed(record, write, (db) =>
          this.records.restore(db, client, moved),
        );
        if (row !== undefined) return viewIn(configuration, row);
        requireVersion(present, versions);
        if (present.archived_at === null) throw recordActive(objectType);
        return undefined;
      });
    });
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
    const [present] = await this.records.find(tx, account, { objectType, by: 'id', names: [id] });
    throw present === undefined ? recordNotFound(objectType) : recordArchived(objectType);
  }

  /**
   * Resolves the properties of an answer.
   * @throws DomainError 400 for these and for what is wrong already
   * @internal
   */
  async shown(
    client: ClientContext,
    objectType: ObjectType,
    selection: ExpandedSelection,
  ): Promise<ExpandedShownViews> {
    const { properties = [], expand = [] } = selection;
    if (properties.length === 0 && expand.length === 0) {
      selection.failures?.throwIfAny();
      const shown = shownViews(objectType, [], [OBJECT_TYPE_RULES[objectType].ownerField]);
      return { ...shown, expanded: new Map() };
    }
    return this.configurations.use(client, ({ catalog }) => {
      const failures = new Failures();
      const shown = resolveSelection(catalog, objectType, { selection, failures });
      failures.throwIfAny();
      return shown;
    });
  }

  /**
   * Validates a write.
   * @throws DomainError 400 listing all that is wrong with what is sent and with the selection
   * @internal
   */
  async validated(
    account: AccountContext,
    sent: WriteKind & { readonly fields: unknown },
    { configuration, selection }: ValidationContext,
  ): Promise<ReturnType<RecordValidator['validate']>> {
    const { objectType, fields } = sent;
    const named = { objectType, fields: [fields] };
    const findRecord = await this.references.resolve(account, configuration, named);
    return this.validator.validate(configuration, { ...sent, findRecord }, selection);
  }

  /** Writes an update with the steps of the hooks; undefined where nothing was written. @internal */
  change(
    client: ClientContext,
    configuration: AccountConfiguration,
    { record, ...change }: Change,
  ): Promise<StoredRecord | undefined> {
    const { changes } = change.values;
    return this.hooks.aroundNamed(record, { action: 'update', client, changes, configuration }, (db) =>
      this.records.update(db, client, { record, ...change }),
    );
  }

  /**
   * Writes until something was written. @param write throws why nothing was; undefined where nothing speaks
   * against the write any more @internal
   */
  async again<T>(
    client: ClientContext,
    configuration: AccountConfiguration,
    write: () => Promise<T | undefined>,
  ): Promise<T | typeof OUTDATED> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const written = await write();
      if (written !== undefined) return written;
      if (!(await this.configurations.isCurrent(client, configuration))) return OUTDATED;
    }
    throw unavailable('The key of the record is changing, try again');
  }

  /** Returns how statements name a record; undefined for what no record can have. */
  private async nameOf(client: ClientContext, address: RecordAddress): Promise<RecordName | undefined> {
    if (address.property === undefined) return idName(address);
    return this.configurations.use(client, (configuration) => this.validator.name(configuration, address));
  }

  /**
   * Reads a record as it is now: by its id an active or archived one.
   * @internal
   */
  async present(
    client: ClientContext,
    { objectType, by, name }: RecordName,
  ): Promise<StoredRecord | undefined> {
    return (await this.records.find(this.database.for(client), client, { objectType, by, names: [name] }))[0];
  }
}
