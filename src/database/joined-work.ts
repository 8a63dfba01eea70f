import type { EntityReader, Statement } from './queryable.js';
import type { Transaction } from './transaction.js';
import { UnitsOfWork, type DatabaseParts } from './units-of-work.js';

/** Units of work that are parts of a transaction. What fails is undone, and nothing is committed. */
export class JoinedWork extends UnitsOfWork {
  constructor(
    parts: DatabaseParts,
    private readonly whole: Transaction,
  ) {
    super(parts);
  }

  override query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.whole.query<Row>(statement, values);
  }

  override read<T>(work: (db: EntityReader) => Promise<T>): Promise<T> {
    return work(this.whole);
  }

  override guard<T>(work: () => Promise<T>): Promise<T> {
    return this.whole.guard(work);
  }

  override transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.whole.guard(() => work(this.whole));
  }
}
