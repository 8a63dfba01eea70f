import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import { ConfigurationCache, OUTDATED, type AccountConfiguration } from '../configuration/index.js';
import { Database, type Queryable } from '../database/index.js';
import { unavailable } from '../errors/errors.js';
import { OBJECT_TYPE_RULES, type WriteKind } from '../fields/index.js';
import { RecordHooks } from './record-hooks.js';
import { idName, type RecordName } from './record-key.js';
import { RecordValidator, type RecordAddress, type RecordSelection } from './record-validator.js';
import { recordView, shownView, type RecordView } from './record-view.js';
import { ReferenceResolver } from './references/reference-resolver.js';
import { RecordsRepository, type MovedRecord, type NamedValues } from './records.repository.js';
import type { StoredRecord } from './stored-record.js';

/** Values by internal name as in a request body (clause 2.4). */
export interface Fields {
  readonly fields: unknown;
}

/** The versions of which the record must have one; undefined for any. */
export interface Versions {
  readonly versions?: readonly string[] | undefined;
}

/** What a write is validated with. */
interface ValidationContext {
  readonly configuration: AccountConfiguration;
  readonly selection: RecordSelection;
}

/** An update of a record, of which nothing is wrong so far. */
interface Change extends Versions, Omit<NamedValues, 'name'> {
  readonly record: RecordName;
}

/**
 * How often a write is tried that nothing speaks against when the record is looked at: others give its key to
 * another record meanwhile, or make it smaller.
 */
const ATTEMPTS = 100;

/** The steps of which the writes of single records consist. */
@Injectable()
export class RecordWriter {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
    private readonly configurations: ConfigurationCache,
    private readonly validator: RecordValidator,
    private readonly hooks: RecordHooks,
    private readonly references: ReferenceResolver,
  ) {}

  /** @throws DomainError 400 listing all that is wrong with what is sent and with the selection */
  async validated(
    client: ClientContext,
    sent: WriteKind & { readonly fields: unknown },
    { configuration, selection }: ValidationContext,
  ): Promise<ReturnType<RecordValidator['validate']>> {
    const { objectType, fields } = sent;
    const named = { objectType, fields: [fields] };
    const findRecord = await this.references.resolve(client, configuration, named);
    return this.validator.validate(configuration, { ...sent, findRecord }, selection);
  }

  /** Writes an update with the steps of the hooks. @returns undefined where nothing was written */
  change(
    client: ClientContext,
    configuration: AccountConfiguration,
    { record, ...change }: Change,
  ): Promise<StoredRecord | undefined> {
    const { changes } = change.values;
    return this.hooks.aroundNamed(record, { action: 'update', client, changes, configuration }, (db) =>
      this.records.update(db, client, { name: record, ...change }),
    );
  }

  /**
   * Moves a record to the archived ones, or back.
   * @returns undefined where nothing was written
   */
  async moved(
    client: ClientContext,
    { action, record }: { readonly action: 'archive' | 'restore'; readonly record: RecordName },
    run: (db: Queryable) => Promise<MovedRecord | undefined>,
  ): Promise<RecordView | undefined> {
    const changes = new Map<string, string | null>();
    const row = await this.hooks.aroundNamed(record, { action, client, changes, configuration: null }, run);
    return row && movedView(row);
  }

  /**
   * Writes until something was written.
   * @param write says why nothing was; undefined where nothing speaks against the write any more
   * @throws what it throws
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
  async nameOf(client: ClientContext, address: RecordAddress): Promise<RecordName | undefined> {
    if (address.property === undefined) return idName(address);
    return this.configurations.use(client, (configuration) =>
      Promise.resolve(this.name(configuration, address)),
    );
  }

  /** As `nameOf`, by a configuration that is at hand. */
  name(configuration: AccountConfiguration, address: RecordAddress): RecordName | undefined {
    return this.validator.name(configuration, address);
  }

  /** Reads a record as it is now: by its id an active or archived one. */
  async present(
    client: ClientContext,
    { objectType, by, name }: RecordName,
  ): Promise<StoredRecord | undefined> {
    return (await this.records.find(this.database.for(client), client, { objectType, by, names: [name] }))[0];
  }
}

/** Returns the view of a record that was archived or restored. */
export function movedView({ renamed, ...record }: MovedRecord): RecordView {
  return shownView(recordView(record), renamed, [OBJECT_TYPE_RULES[record.object_type].ownerField]);
}
