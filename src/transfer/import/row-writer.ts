import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import {
  DuplicateRecordError,
  KeyedRecordsService,
  KeyLostError,
  RecordsService,
  type KeyValue,
} from '../../records/index.js';

/** A row to write. */
export interface RowToWrite {
  /** The key of the row, as it is stored. */
  readonly key: KeyValue;
  /** Id of the active record that had the key; undefined for a row that creates one. */
  readonly id: string | undefined;
  /** What is set: all of a new record, what differs of another. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** All that the row sets, for a record that others have created, changed or archived meanwhile. */
  readonly whole: Readonly<Record<string, unknown>>;
}

/** What became of a row. */
export type WrittenRow =
  { readonly id: string; readonly created: boolean } | { readonly refused: DomainError };

/** Most rows that are written at the same time. */
const MOST_AT_ONCE = 8;

/**
 * Writes the rows of an import, each as a request of its own would: with the same checks and hooks. How it
 * does so is nobody else's concern.
 */
@Injectable()
export class RowWriter {
  constructor(
    private readonly database: Database,
    private readonly records: RecordsService,
    private readonly keyed: KeyedRecordsService,
  ) {}

  /**
   * Writes rows of different keys.
   * @returns what became of each, in the same order
   * @throws what is no fault of a row, such as a database that is not there; some rows may be written
   */
  async write(
    client: ClientContext,
    objectType: ObjectType,
    rows: readonly RowToWrite[],
  ): Promise<WrittenRow[]> {
    const written: WrittenRow[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let row = rows[next]; row !== undefined; row = rows[next]) {
        const place = next++;
        written[place] = await this.writeOne(client, objectType, row).catch(refused);
      }
    };
    const workers = Math.max(1, Math.min(MOST_AT_ONCE, this.database.connections));
    const settled = await Promise.allSettled(Array.from({ length: workers }, work));
    const failed = settled.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return written;
  }

  private async writeOne(
    client: ClientContext,
    objectType: ObjectType,
    { key, id, fields, whole }: RowToWrite,
  ): Promise<WrittenRow> {
    const { property } = key;
    try {
      if (id === undefined) {
        const { id: created } = await this.records.create(client, { objectType, fields });
        return { id: String(created), created: true };
      }
      const named = property === 'id' ? {} : { key };
      await this.records.update(client, { objectType, id, ...named, fields });
      return { id, created: false };
    } catch (error) {
      const isTaken = error instanceof DuplicateRecordError && error.concerns(objectType, property);
      if (!(error instanceof KeyLostError) && !(id === undefined && isTaken)) throw error;
      const { record, created } = await this.keyed.upsert(
        client,
        { objectType, id: key.value, property, fields: whole },
        {},
      );
      return { id: String(record['id']), created };
    }
  }
}

/** @throws an error that the row has not caused */
function refused(error: unknown): { readonly refused: DomainError } {
  if (error instanceof DomainError && error.status < 500) return { refused: error };
  throw error;
}
