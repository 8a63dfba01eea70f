import { Injectable } from '@nestjs/common';
import {
  Database,
  firstIdAt,
  observeTransactions,
  type Observation,
  type Statement,
  type Transaction,
} from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import * as statements from './record-counts.statements.js';

/** The records of one type of an account. */
export interface CountedType {
  readonly accountId: string;
  readonly objectType: ObjectType;
}

/**
 * Milliseconds by which blocks stay behind the clock. The trigger writes a change for an id that is older by
 * two seconds. A clock that is set back by more than the rest gives ids that are not counted until `fairlead
 * check` has run.
 */
export const DISTANCE = 10_000;

/** Most types that are looked for at once. */
const MOST_TYPES = 1_000;

/** Most changes that a statement adds. */
const MOST_CHANGES = 5_000;

/** Records of a full block. A list adds up the blocks, and walks through one of them. */
const BLOCK = 4_000;

/** Most statements of one kind in a transaction, which a drain waits for. */
const MOST_STEPS = 10;

/** Changes the counts of records: adds to them what waits. Requests read them within their own statements. */
@Injectable()
export class RecordCountsRepository {
  constructor(private readonly database: Database) {}

  /** Returns types with changes that wait. */
  async findChanged(): Promise<CountedType[]> {
    const rows = await this.database.query<{ account_id: string; object_type: ObjectType }>(
      statements.FIND_CHANGED,
      [MOST_TYPES],
    );
    return rows.map(({ account_id: accountId, object_type: objectType }) => ({ accountId, objectType }));
  }

  /** Observes the transactions of the database. */
  observe(): Promise<Observation> {
    return observeTransactions(this.database);
  }

  /**
   * Counts new records, and adds changes that wait, unless another process does so for this account.
   * @param settled no record with an id before that of this instant will be created any more
   * @param block records of a full block
   * @returns whether more is to be done
   */
  async fold({ accountId, objectType }: CountedType, settled: Date, block = BLOCK): Promise<boolean> {
    const type = [accountId, objectType];
    const add = async (tx: Transaction, statement: Statement): Promise<boolean> => {
      const [row] = await tx.query<{ added: number }>(statement, [...type, MOST_CHANGES]);
      return row?.added === MOST_CHANGES;
    };
    const steps: ((tx: Transaction) => Promise<boolean>)[] = [
      async (tx) => {
        const values = [...type, firstIdAt(settled), block];
        const [row] = await tx.query<{ more: boolean }>(statements.EXTEND_BLOCKS, values);
        return row?.more === true;
      },
      (tx) => add(tx, statements.ADD_CHANGES),
      (tx) => add(tx, statements.ADD_OWNED),
    ];
    let left = false;
    for (const step of steps) left = (await this.repeat(accountId, step)) || left;
    return left;
  }

  /** Takes a step of a fold a few times, in one transaction. @returns whether it is to be taken again */
  private repeat(accountId: string, step: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ locked: boolean }>(statements.TRY_LOCK, [accountId]);
      if (lock?.locked !== true) return false;
      for (let n = 0; n < MOST_STEPS; n++) if (!(await step(tx))) return false;
      return true;
    });
  }
}
