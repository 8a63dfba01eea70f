import type { Statement } from '../../src/database/queryable.js';
import type { Transaction } from '../../src/database/connection/transaction.js';

/** A statement as it was sent. */
export interface Sent {
  readonly name: string;
  readonly values: readonly unknown[];
}

/**
 * Notes what it is told to do, in order, and answers each statement as the test says. It is the database
 * and its transactions at once, and knows no SQL.
 */
export class FakeDatabase {
  readonly sent: Sent[] = [];
  /** What happened, in order: `BEGIN`, names of statements, `COMMIT`, `ROLLBACK`. */
  readonly events: string[] = [];
  /** The options of each transaction. */
  readonly options: unknown[] = [];
  /** True from the COMMIT of the last statement to the end of the transaction's function. */
  private state: { ended: boolean } = { ended: false };
  private readonly answers = new Map<string, (() => readonly unknown[])[]>();

  /** Says which rows the next statement of that name gets; none unless told. */
  answer(name: string, rows: readonly unknown[]): void {
    this.plan(name, () => rows);
  }

  /** Says with which error the next statement of that name fails. */
  fail(name: string, error: unknown): void {
    this.plan(name, () => {
      throw error as Error;
    });
  }

  query<Row>({ name }: Statement, values: readonly unknown[]): Promise<Row[]> {
    if (this.state.ended) return Promise.reject(new Error(`${name} was sent after COMMIT`));
    this.events.push(name);
    this.sent.push({ name, values });
    return Promise.resolve().then(() => [...(this.answers.get(name)?.shift()?.() ?? [])] as Row[]);
  }

  async queryLast<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const rows = await this.query<Row>(statement, values);
    this.events.push('COMMIT');
    this.state.ended = true;
    return rows;
  }

  /** Its answers come at once, so no deadline matters. */
  for(): this {
    return this;
  }

  read<T>(work: (db: FakeDatabase) => Promise<T>): Promise<T> {
    return work(this);
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.events.push('SAVEPOINT');
    try {
      return await work();
    } finally {
      this.events.push('RELEASE');
    }
  }

  asPart<T>(work: () => Promise<T>): Promise<T> {
    return this.savepoint(work);
  }

  async transaction<T>(work: (tx: FakeDatabase) => Promise<T>, options?: unknown): Promise<T> {
    this.options.push(options);
    this.state = { ended: false };
    this.events.push('BEGIN');
    try {
      const result = await work(this);
      if (!this.state.ended) this.events.push('COMMIT');
      return result;
    } catch (error) {
      this.events.push('ROLLBACK');
      throw error;
    } finally {
      this.state = { ended: false };
    }
  }

  /** Itself, for subjects that are given a transaction, or the database to read from. */
  get tx(): Transaction {
    return this as unknown as Transaction;
  }

  private plan(name: string, answer: () => readonly unknown[]): void {
    this.answers.set(name, [...(this.answers.get(name) ?? []), answer]);
  }
}
