import { Injectable } from '@nestjs/common';
import type { AccountContext } from '../accounts/index.js';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../configuration/index.js';
import { Database, isId, type Queryable, type Transaction } from '../database/index.js';
import type { DomainError } from '../errors/domain-error.js';
import {
  archived,
  Failures,
  invalid,
  invalidField,
  notArchived,
  notFound,
  preconditionFailed,
} from '../errors/errors.js';
import { OBJECT_TYPE_RULES, type ObjectType, type WriteKind } from '../fields/index.js';
import {
  cursorBehind,
  jsonPage,
  PAGE_ROWS,
  pageStart,
  type Page,
  type PageRequest,
} from '../paging/index.js';
import { capitalized } from '../text/capitalized.js';
import { hasKey } from './record-key.js';
import { RecordHooks } from './record-hooks.js';
import { KeyLostError } from './key-lost.error.js';
import { sizeProblem, type LimitedChanges } from './record-size.js';
import { RecordValidator, resolveExtras, type RecordSelection } from './record-validator.js';
import { bytesWithoutValues, recordView, addedNames, type RecordView } from './record-view.js';
import { ReferenceResolver } from './references/reference-resolver.js';
import {
  RecordsRepository,
  type ArchivedRow,
  type RecordKey,
  type RecordTarget,
} from './records.repository.js';
import { shownView, type Renamed } from './renamed-views.js';
import { shownRecord, type StoredRecord } from './stored-record.js';

/** The part of a list that a request asks for. */
export interface RecordPageRequest extends PageRequest, RecordSelection {
  /** The `next` of the page before; not together with an offset. */
  readonly after?: string | undefined;
}

/** What a write is validated with. */
interface ValidationContext {
  readonly configuration: AccountConfiguration;
  readonly selection: RecordSelection;
}

/** Reads and writes records of the four object types (clauses 2 to 4.4). */
@Injectable()
export class RecordsService {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly configurations: ConfigurationCache,
    private readonly validator: RecordValidator,
    private readonly hooks: RecordHooks,
    private readonly references: ReferenceResolver,
  ) {}

  /**
   * Creates a record.
   * @param record `fields`: values by internal name as in a request body (clause 2.4)
   * @throws DomainError 400 for failing fields or properties and for a record that is too large, 409 for a
   *   duplicate (with `field`)
   */
  create(
    client: ClientContext,
    { objectType, fields }: { readonly objectType: ObjectType; readonly fields: unknown },
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields, mode: 'create' } as const;
      const { values, extras } = await this.validated(client, sent, { configuration, selection });
      const { changes } = values;
      const planned = { action: 'create', client, objectType, id: null, changes, configuration } as const;
      const row = await this.hooks.around(planned, (db) => this.records.insert(db, client, values));
      return row === undefined ? OUTDATED : recordView(shownIn(configuration, row), extras);
    });
  }

  /** Reads a record, active or archived. @throws DomainError 404; 400 for failing properties */
  async get(
    client: ClientContext,
    { objectType, id }: RecordKey,
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    const { extras, userFields } = await this.extras(client, objectType, selection);
    const key = { objectType, id, extras: addedNames(objectType, extras), userFields };
    const view = isId(id) ? await this.records.findView(this.database.for(client), client, key) : undefined;
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
    const { extras, userFields } = await this.extras(client, objectType, { properties, failures });
    if (request.limit > PAGE_ROWS) throw invalidField('limit', `limit must be at most ${PAGE_ROWS}`);
    const behind = pageStart(after, request.offset);
    const bytesPerRow = bytesWithoutValues(objectType, extras);
    const shown = { extras: addedNames(objectType, extras), userFields };
    const asked = { objectType, ...request, behind, ...shown, bytesPerRow, counts: true };
    const { parts, last, count, more } = await this.records.list(this.database.for(client), client, asked);
    const next = more && last !== undefined ? cursorBehind(last) : null;
    const { limit, offset } = request;
    return jsonPage(parts, { limit, offset, count, next });
  }

  /**
   * Updates fields of an active record.
   * @param record `fields`: values by internal name as in a request body (clause 2.4)
   * @throws DomainError 400 for failing fields or properties and for a record that would be too large, 404,
   *   409 for a duplicate (with `field`) or an archived record, 412 where it has none of the versions;
   *   KeyLostError where `key` is given
   */
  update(
    client: ClientContext,
    { fields, ...target }: RecordTarget & { readonly fields: unknown },
    selection: RecordSelection = {},
  ): Promise<RecordView> {
    const { objectType, id, key } = target;
    return this.configurations.use(client, async (configuration) => {
      const sent = { objectType, fields, mode: 'update' } as const;
      const { values, extras } = await this.validated(client, sent, { configuration, selection });
      if (!isId(id)) throw recordNotFound(objectType);
      const { changes } = values;
      const write = { action: 'update', client, objectType, id, changes, configuration } as const;
      const row = await this.hooks.around(write, (db) =>
        this.records.update(db, client, { ...values, ...target }),
      );
      if (row !== undefined) return recordView(shownIn(configuration, row), extras);
      const present = await this.records.find(this.database.for(client), client, { objectType, id });
      if (present === undefined) throw recordNotFound(objectType);
      if (!hasKey(present, key)) throw new KeyLostError();
      requireVersion(present, target);
      if (present.archived_at !== null) throw recordArchived(objectType);
      requireRoom(present.fields, values);
      // The configuration has changed. Or the record was too large, and another update has made it smaller.
      return OUTDATED;
    });
  }

  /**
   * Archives an active record.
   * @throws DomainError 404, also for a record that is archived already, 412 where it has none of the
   *   versions; KeyLostError where `key` is given
   */
  async archive(client: ClientContext, target: RecordTarget): Promise<RecordView> {
    const { objectType, id } = target;
    if (!isId(id)) throw recordNotFound(objectType);
    const archivedBy = client.clientId;
    const view = await this.moved(client, { action: 'archive', objectType, id }, (db) =>
      this.records.archive(db, client, { ...target, archivedBy }),
    );
    if (view === undefined) throw await this.notArchivable(client, target);
    return view;
  }

  /**
   * Makes an archived record active again, as it was.
   * @throws DomainError 404, 409 `not_archived` for an active record, 409 for a duplicate where
   *   another active record has one of its keys by now, 412 where it has none of the versions
   */
  async restore(client: ClientContext, target: RecordTarget): Promise<RecordView> {
    const { objectType, id } = target;
    if (!isId(id)) throw recordNotFound(objectType);
    const found = await this.records.find(this.database.for(client), client, target);
    if (found === undefined) throw recordNotFound(objectType);
    const view = await this.moved(client, { action: 'restore', objectType, id }, (db) =>
      this.records.restore(db, client, { ...target, fields: found.fields }),
    );
    if (view !== undefined) return view;
    requireVersion((await this.records.find(this.database.for(client), client, target)) ?? found, target);
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
    const isPresent = (await this.records.find(tx, account, { objectType, id })) !== undefined;
    throw isPresent ? recordArchived(objectType) : recordNotFound(objectType);
  }

  /**
   * Resolves the properties of an answer.
   * @throws DomainError 400 for these and for what is wrong already
   * @internal
   */
  async extras(
    client: ClientContext,
    objectType: ObjectType,
    selection: RecordSelection,
  ): Promise<{ readonly extras: readonly string[]; readonly userFields: readonly string[] }> {
    if ((selection.properties ?? []).length === 0) {
      selection.failures?.throwIfAny();
      return { extras: [], userFields: [OBJECT_TYPE_RULES[objectType].ownerField] };
    }
    return this.configurations.use(client, (configuration) => {
      const failures = new Failures();
      const extras = resolveExtras(configuration, objectType, { selection, failures });
      failures.throwIfAny();
      return Promise.resolve({ extras, userFields: configuration.catalog.userFieldNames(objectType) });
    });
  }

  /** @throws DomainError 400 listing all that is wrong with what is sent and with the selection */
  private async validated(
    client: ClientContext,
    sent: WriteKind & { readonly fields: unknown },
    { configuration, selection }: ValidationContext,
  ): Promise<ReturnType<RecordValidator['validate']>> {
    const { objectType, fields } = sent;
    const named = { objectType, fields: [fields] };
    const findRecord = await this.references.resolve(client, configuration, named);
    return this.validator.validate(configuration, { ...sent, findRecord }, selection);
  }

  /**
   * Moves a record to the archived ones, or back.
   * @returns undefined where nothing was written
   */
  private async moved(
    client: ClientContext,
    { action, objectType, id }: RecordKey & { readonly action: 'archive' | 'restore' },
    run: (db: Queryable) => Promise<ArchivedRow | undefined>,
  ): Promise<RecordView | undefined> {
    const changes = new Map<string, string | null>();
    const write = { action, client, objectType, id, changes, configuration: null };
    let renamed: Renamed = null;
    const row = await this.hooks.around(write, async (db) => {
      const found = await run(db);
      if (found === undefined) return undefined;
      const { renamed: names, ...record } = found;
      renamed = names;
      return record;
    });
    return row && shownView(recordView(row), renamed, [OBJECT_TYPE_RULES[objectType].ownerField]);
  }

  /** Why an archive wrote nothing. */
  private async notArchivable(client: ClientContext, target: RecordTarget): Promise<Error> {
    const { objectType, key, versions } = target;
    if (versions !== undefined) {
      const present = await this.records.find(this.database.for(client), client, target);
      if (present?.archived_at === null && hasKey(present, key)) requireVersion(present, target);
    }
    return key === undefined ? recordNotFound(objectType) : new KeyLostError();
  }
}

/** Returns a record with the e-mails that users have in the configuration under which it was written. */
export function shownIn({ directory, catalog }: AccountConfiguration, record: StoredRecord): StoredRecord {
  return shownRecord(record, directory.names, catalog.userFieldNames(record.object_type));
}

function requireRoom(before: StoredRecord['fields'], write: LimitedChanges): void {
  const problem = sizeProblem(before, write);
  if (problem !== undefined) throw invalid([problem], { code: 'invalid_fields' });
}

/** @throws DomainError 412 for a record that has none of the versions */
function requireVersion({ version = '' }: StoredRecord, { objectType, versions }: RecordTarget): void {
  if (versions === undefined || versions.includes(version)) return;
  throw preconditionFailed(`The ${OBJECT_TYPE_RULES[objectType].singular} is no longer as If-Match says`);
}

/** 409 of a record that is not archived. */
export function recordActive(objectType: ObjectType): DomainError {
  return notArchived(`This ${OBJECT_TYPE_RULES[objectType].singular} is active`);
}

/** 404 of a record. */
export function recordNotFound(objectType: ObjectType): DomainError {
  const { singular } = OBJECT_TYPE_RULES[objectType];
  return notFound(`${capitalized(singular)} not found`);
}

/** 409 of an archived record that can only be restored. */
export function recordArchived(objectType: ObjectType): DomainError {
  return archived(`This ${OBJECT_TYPE_RULES[objectType].singular} is archived and cannot be changed`);
}
