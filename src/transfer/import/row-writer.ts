import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import {
  KeyedRecordsService,
  NamedRecordsService,
  type Ended,
  type KeyValue,
  type NamedWrites,
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

/**
 * Writes the rows of an import, each as a request of its own would: with the same checks and hooks. How it
 * does so is nobody else's concern.
 */
@Injectable()
export class RowWriter {
  constructor(
    private readonly database: Database,
    private readonly named: NamedRecordsService,
    private readonly keyed: KeyedRecordsService,
  ) {}

  /**
   * Writes rows of different keys, all in one transaction.
   * @returns what became of each, in the same order
   * @throws what is no fault of a row, such as a database that is not there; nothing is written then
   */
  async write(
    client: ClientContext,
    objectType: ObjectType,
    rows: readonly RowToWrite[],
  ): Promise<WrittenRow[]> {
    const property = rows[0]?.key.property;
    if (property === undefined) return [];
    const isById = property === 'id';
    const writes = rows.map(({ key, fields, whole }) => ({ id: key.value, fields, whole }));
    const named: NamedWrites = {
      objectType,
      action: isById ? 'update' : 'upsert',
      property: isById ? undefined : property,
      writes,
      selection: {},
    };
    // It takes as long as the rows take: nobody waits for an answer.
    return this.database.for(client).transaction(
      async (transaction) => {
        const joined = { ...client, transaction };
        const written: WrittenRow[] = [];
        for (const [index, ended] of (await this.named.write(joined, named)).entries()) {
          written.push(await this.settled(joined, { objectType, row: rows[index] }, ended));
        }
        return written;
      },
      { long: true },
    );
  }

  /** Writes all of a row where another record has its key by now, which was compared with none. */
  private async settled(
    client: ClientContext,
    { objectType, row }: { readonly objectType: ObjectType; readonly row: RowToWrite | undefined },
    ended: Ended,
  ): Promise<WrittenRow> {
    if ('error' in ended) return { refused: ended.error };
    const { status, record } = ended;
    const id = String(record['id']);
    if (status === 201 || row?.id === undefined || row.id === id) return { id, created: status === 201 };
    const { key, whole: fields } = row;
    const again = { objectType, property: key.property, id: key.value, fields };
    const written = await this.keyed.upsert(client, again, {});
    return { id: String(written.record['id']), created: written.created };
  }
}
