import { Injectable } from '@nestjs/common';
import type { ClientContext } from '../../auth/index.js';
import { Database } from '../../database/index.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ObjectType } from '../../fields/index.js';
import { BulkWriter, type ItemResult, type KeyValue } from '../../records/index.js';

/** A row to write. */
export interface RowToWrite {
  /** The key of the row, as it is stored. */
  readonly key: KeyValue;
  /** Id of the active record that had the key; undefined for a row that creates one. */
  readonly id: string | undefined;
  /** What is set: all of a new record, what differs of another. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** All that the row sets, for another record that has the key by now, or a new one. */
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
    private readonly bulk: BulkWriter,
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
    const inputs = rows.map(({ key, id, fields, whole }) => {
      return { id: key.value, fields, fieldsIfNew: whole, onlyForId: id };
    });
    const action: 'update' | 'upsert' = isById ? 'update' : 'upsert';
    const writes = { objectType, action, property: isById ? undefined : property, inputs, selection: {} };
    // It takes as long as the rows take: nobody waits for an answer.
    return this.database
      .for(client)
      .transaction(
        async (transaction) => (await this.bulk.write({ ...client, transaction }, writes)).map(settled),
        { long: true },
      );
  }
}

function settled(result: ItemResult): WrittenRow {
  if ('error' in result) return { refused: result.error };
  return { id: String(result.record['id']), created: result.status === 201 };
}
