import { Injectable } from '@nestjs/common';
import { Database, observeTransactions, type Observation } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import { BUILD_INDEX, CLEAR_INDEX, FIND_OPEN, NEED_CHANGED } from './record-indexes.statements.js';

/** An object type of an account. */
export interface ChangedType {
  readonly accountId: string;
  readonly objectType: ObjectType;
}

/** An index that is to be built or, where it was dropped, to be cleared. */
export interface OpenIndex extends ChangedType {
  readonly id: number;
  readonly field: string;
  readonly isDropped: boolean;
}

/** The field whose index no configuration asks for. */
export const CHANGED = 'last_modified_date';

interface OpenRow extends Pick<OpenIndex, 'id' | 'field'> {
  readonly account_id: string;
  readonly object_type: ObjectType;
  readonly is_dropped: boolean;
}

/** Most indexes that are looked for at once. */
const MOST = 1_000;

/** Builds and clears indexes of fields. */
@Injectable()
export class RecordIndexesRepository {
  constructor(private readonly database: Database) {}

  /** Adds the index of `last_modified_date`, where the type has none. */
  async needChanged({ accountId, objectType }: ChangedType): Promise<void> {
    await this.database.query(NEED_CHANGED, [accountId, objectType, CHANGED]);
  }

  /** Returns indexes that are to be built or cleared, of any account. */
  async findOpen(): Promise<OpenIndex[]> {
    const rows = await this.database.query<OpenRow>(FIND_OPEN, [MOST]);
    return rows.map(({ account_id, object_type, is_dropped, ...row }) => ({
      ...row,
      accountId: account_id,
      objectType: object_type,
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
