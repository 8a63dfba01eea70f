import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/**
 * Steps of migrations beside which the service goes on. A migration that uses them has `transaction = false`,
 * and each of its steps can be repeated, because a run may end between two of them.
 */

/**
 * Milliseconds for which a statement waits for its lock on a table. Whoever needs the table afterwards waits
 * behind it.
 */
const LOCK_WAIT_MS = 300;

/** Milliseconds between two attempts, and after which no other is made. */
const PAUSE_MS = 500;
const PATIENCE_MS = 10 * 60_000;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Runs statements that lock a table against everything, but only for a moment, in one transaction. While
 * others hold the table, it tries again for up to ten minutes.
 * @throws the error of PostgreSQL (55P03) when the lock is not to be had
 */
export async function changeBriefly(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  const started = performance.now();
  for (;;) {
    await runner.startTransaction();
    try {
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      for (const statement of statements) await runner.query(statement);
      await runner.commitTransaction();
      return;
    } catch (error) {
      await runner.rollbackTransaction();
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || performance.now() - started > PATIENCE_MS) throw error;
    }
    await delay(PAUSE_MS);
  }
}

/**
 * Creates an index while others read and write the table. Creates it again where a run that was interrupted
 * has left an invalid one.
 * @param index its name, and what follows it: `ON records (account_id)`
 * @throws the error of PostgreSQL (23505) when it is unique and the rows are not
 */
export async function createIndex(
  runner: QueryRunner,
  index: { readonly name: string; readonly definition: string; readonly unique?: boolean },
): Promise<void> {
  const { name, definition, unique = false } = index;
  // It waits for the transactions that may not know the index, and nobody waits for it.
  await withoutTimeouts(runner, async () => {
    const [found] = (await runner.query(
      'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [name],
    )) as { valid: boolean }[];
    if (found?.valid === false) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    const kind = unique ? 'UNIQUE INDEX' : 'INDEX';
    await runner.query(`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${name} ${definition}`);
  });
}

/** Drops an index while others read and write the table. */
export async function dropIndex(runner: QueryRunner, name: string): Promise<void> {
  await withoutTimeouts(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

async function withoutTimeouts(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  const timeouts = ['lock_timeout', 'statement_timeout'];
  for (const name of timeouts) await runner.query(`SET ${name} = 0`);
  try {
    await work();
  } finally {
    for (const name of timeouts) await runner.query(`RESET ${name}`);
  }
}

/**
 * Runs a statement that fills a batch of rows, again where another transaction has kept their locks from it.
 * @returns the rows of the statement, such as the key behind which the next batch starts
 */
export async function fillBatch<Row>(
  runner: QueryRunner,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  for (;;) {
    try {
      return (await runner.query(statement, [...values])) as Row[];
    } catch (error) {
      if (![DEADLOCK, LOCK_NOT_AVAILABLE].includes(codeOf(error))) throw error;
    }
  }
}

function codeOf(error: unknown): string {
  return String((error as { readonly code?: unknown }).code);
}
