import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../auth/index.js';
import type { AccountConfiguration } from '../configuration/index.js';
import { Database, type Queryable, type Transaction } from '../database/index.js';
import type { FieldChanges, ObjectType } from '../fields/index.js';
import type { RecordName } from './record-key.js';
import { RecordsRepository } from './records.repository.js';
import type { StoredRecord } from './record-view.js';

/** A create, update, archive or restore that a client requested, after validation and before the write. */
export interface RecordWrite {
  readonly action: 'create' | 'update' | 'archive' | 'restore';
  readonly client: ClientContext;
  readonly objectType: ObjectType;
  /** The record that is changed, archived or restored; null for a create. */
  readonly id: string | null;
  /** Stored values by internal name, null for cleared fields; empty for an archive or a restore. */
  readonly changes: FieldChanges;
  /** The account's configuration under which the record is written. */
  readonly configuration: AccountConfiguration;
}

/** The result of a write. */
export interface WrittenRecord {
  /** The record before; null for a create. */
  readonly previous: StoredRecord | null;
  /** The record after. */
  readonly record: StoredRecord;
}

/**
 * The steps of a hook in the transaction of one write. After a deadlock the transaction runs again with both
 * steps, so they must have no effects outside it.
 */
export interface RecordWriteSteps {
  /**
   * Runs before the record is written, and locked where the request names no other record.
   * @throws DomainError to refuse the write; nothing is written then
   */
  before?(tx: Transaction): Promise<void>;
  /** After the record was written, before COMMIT. Not called where nothing was written (404, 409, 400). */
  after?(tx: Transaction, written: WrittenRecord): Promise<void>;
}

/** A hook on writes of records through the API. For writes by a dispatch, see AssignmentHook. */
export interface RecordHook {
  /**
   * Called before each write, and again when the account's configuration has changed, when the record has
   * lost the key by which it is named, and when the transaction runs again. Of a request of its own it is
   * called outside the transaction; of a batch, an import and a request with an Idempotency-Key inside it
   * (`client` has it). It must have no effects; the record may not exist.
   * @returns the steps of this write, or undefined for no steps. If no hook has steps, the write is one
   *   statement without a transaction around it.
   */
  onWrite(write: RecordWrite): RecordWriteSteps | undefined | Promise<RecordWriteSteps | undefined>;
  /**
   * Optional: whether the hook may have steps in such a write, of whatever record. Where none may, a request
   * that names a record by a key does not look for it before it is written, and inputs of a batch or an
   * import are written together; `onWrite` is not called for these.
   */
  concerns?(write: Omit<RecordWrite, 'id'>): boolean | Promise<boolean>;
}

/** Rolls back what hooks wrote before a write that wrote nothing. */
class NothingWritten extends Error {}

/** The hooks on writes of records, in the order in which they were registered. */
@Injectable()
export class RecordHooks {
  private readonly hooks: RecordHook[] = [];

  constructor(
    private readonly database: Database,
    private readonly records: RecordsRepository,
  ) {}

  register(hook: RecordHook): void {
    this.hooks.push(hook);
  }

  /**
   * As `around`, for a record that is there. It is looked for where it is named by a key, because hooks are
   * asked by ids.
   * @returns undefined also where the record has lost the key meanwhile
   */
  async aroundNamed<Row extends StoredRecord>(
    record: RecordName,
    write: Omit<RecordWrite, 'objectType' | 'id'>,
    run: (db: Queryable) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const db = this.database.for(write.client);
    const { objectType, by, name } = record;
    if (this.hooks.length === 0) return run(db);
    if (by !== 'id' && !(await this.concern({ ...write, objectType }))) return run(db);
    const [id] = by === 'id' ? [name] : await this.records.findIds(db, write.client, [record]);
    return id === undefined ? undefined : this.around({ ...write, objectType, id }, run);
  }

  /** Whether a hook may have steps in a write, of whatever record. */
  async concern(write: Omit<RecordWrite, 'id'>): Promise<boolean> {
    for (const hook of this.hooks) {
      if (hook.concerns === undefined || (await hook.concerns(write))) return true;
    }
    return false;
  }

  /** Runs a write with the steps of the hooks. @param run undefined where nothing was written */
  async around<Row extends StoredRecord>(
    write: RecordWrite,
    run: (db: Queryable) => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const { action, client, objectType, id } = write;
    const db = this.database.for(client);
    const steps: RecordWriteSteps[] = [];
    for (const hook of this.hooks) {
      const taken = await hook.onWrite(write);
      if (taken !== undefined) steps.push(taken);
    }
    if (steps.length === 0) return run(db);
    const work = async (tx: Transaction): Promise<Row> => {
      for (const step of steps) await step.before?.(tx);
      const present = id === null ? null : { objectType, id, archived: action === 'restore' };
      const previous = (present && (await this.records.lock(tx, client, present))) ?? null;
      const record = await run(tx);
      if (record === undefined || (id !== null && record.id !== id)) throw new NothingWritten();
      for (const step of steps) await step.after?.(tx, { previous, record });
      return record;
    };
    return db.transaction(work).catch((error: unknown) => {
      if (error instanceof NothingWritten) return undefined;
      throw error;
    });
  }
}
