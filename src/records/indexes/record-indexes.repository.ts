import { Injectable } from '@nestjs/common';
import { Database, observeTransactions, type Observation } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import { BUILD_INDEX, CLEAR_INDEX, FIND_OPEN, NEED_CHANGED } from './record-indexes.statements.js';

/** An index that is to be built or, where it was dropped, to be cleared. */
export interface OpenIndex {
  readonly accountId: string;
  readonly id: number;
  readonly isDropped: boolean;
}

/** An object type of an account. */
export interface ChangedType {
  readonly accountId: string;
  readonly objectType: ObjectType;
}

/** Most indexes that are looked for at once. */
const MOST = 1_000;

/** Builds and clears indexes of fields. */
@Injectable()
export class RecordIndexesRepository {
  constructor(private readonly database: Database) {}

  /** Adds the index of `last_modified_date`, where the type has none. */
  async needChanged({ accountId, objectType }: ChangedType): Promise<void> {
    await this.database.query(NEED_CHANGED, [accountId, objectType, 'last_modified_date']);
  }

  /** Returns indexes that are to be built or cleared, of any account. */
  async findOpen(): Promise<OpenIndex[]> {
    const rows = await this.database.query<{ account_id: string; id: number; is_dropped: boolean }>(
      FIND_OPEN,
      [MOST],
    );
    return rows.map(({ account_id, id, is_dropped }) => ({
      accountId: account_id,
      id,
      isDropped: is_dropped,
    }));
  }

  /** Observes the transactions of the database. */
  observe(): Promise<Observation> {
    return observeTransactions(this.database);
  }

  /**
   * Does the next part of an index, in a transaction of its own. All transactions must know whether it is
   * dropped.
   * @returns whether nothing more is to be done here: it is ready or gone, or another process is at it
   */
  advance({ accountId, id, isDropped }: OpenIndex, most: number): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const statement = isDropped ? CLEAR_INDEX : BUILD_INDEX;
      const [row] = await tx.query<{ is_ready: boolean }>(statement, [accountId, id, most]);
      return row?.is_ready !== false;
    });
  }
}
