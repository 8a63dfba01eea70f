import { Injectable } from '@nestjs/common';
import { Database, firstIdAt, type Statement } from '../../database/index.js';
import type { ObjectType } from '../../fields/index.js';
import * as statements from './record-counts.statements.js';

/** The records of one type of an account. */
export interface CountedType {
  readonly accountId: string;
  readonly objectType: ObjectType;
}

/** What the transactions of a database were at an instant. */
export interface Observation {
  /** By the clock of the database. */
  readonly at: Date;
  /** A new id. Transactions that take theirs later read the clock later. */
  readonly id: bigint;
  /** The oldest id whose transaction has not ended. */
  readonly running: bigint;
}

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

  async observe(): Promise<Observation> {
    const [row] = await this.database.query<{ at: Date; id: string; running: string }>(
      statements.OBSERVE,
      [],
    );
    if (row === undefined) throw new Error('The state of the database has no row');
    return { at: row.at, id: BigInt(row.id), running: BigInt(row.running) };
  }

  /**
   * Counts new records, and adds changes that wait, unless another process does so for this account.
   * @param settled no record with an id before that of this instant will be created any more
   * @param block records of a full block
   * @returns whether more is to be done
   */
  fold({ accountId, objectType }: CountedType, settled: Date, block = BLOCK): Promise<boolean> {
    const type = [accountId, objectType];
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ locked: boolean }>(statements.TRY_LOCK, [accountId]);
      if (lock?.locked !== true) return false;
      const repeat = async (step: () => Promise<boolean>): Promise<boolean> => {
        for (let n = 0; n < MOST_STEPS; n++) if (!(await step())) return false;
        return true;
      };
      const add = async (statement: Statement): Promise<boolean> => {
        const [row] = await tx.query<{ added: number }>(statement, [...type, MOST_CHANGES]);
        return row?.added === MOST_CHANGES;
      };
      const extend = async (before: string): Promise<boolean> => {
        const [row] = await tx.query<{ more: boolean }>(statements.EXTEND_BLOCKS, [...type, before, block]);
        return row?.more === true;
      };
      const left = [
        await repeat(() => extend(firstIdAt(settled))),
        await repeat(() => add(statements.ADD_CHANGES)),
        await repeat(() => add(statements.ADD_OWNED)),
      ];
      return left.includes(true);
    });
  }
}
