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
const LOCK_WAIT = 300;

/** Milliseconds between two attempts, and after which no other is made. */
const PAUSE = 500;
const PATIENCE = 10 * 60_000;

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
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT}`);
      for (const statement of statements) await runner.query(statement);
      await runner.commitTransaction();
      return;
    } catch (error) {
      await runner.rollbackTransaction();
      const isLocked = (error as { readonly code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked || performance.now() - started > PATIENCE) throw error;
    }
    await delay(PAUSE);
  }
}

/**
 * Creates an index while others read and write the table. Creates it again where a run that was interrupted
 * has left an invalid one.
 * @param definition what follows its name: `ON records (account_id)`
 */
export async function createIndex(runner: QueryRunner, name: string, definition: string): Promise<void> {
  await buildIndex(runner, name, (created) => `CREATE INDEX ${created} ${definition}`);
}

/** As `createIndex`, for a unique index. @throws the unique violation of the database */
export async function createUniqueIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
): Promise<void> {
  await buildIndex(runner, name, (created) => `CREATE UNIQUE INDEX ${created} ${definition}`);
}

/** Drops an index while others read and write the table. */
export async function dropIndex(runner: QueryRunner, name: string): Promise<void> {
  await withoutTimeouts(runner, () => runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`));
}

async function buildIndex(
  runner: QueryRunner,
  name: string,
  statement: (created: string) => string,
): Promise<void> {
  // It waits for the transactions that may not know the index, and nobody waits for it.
  await withoutTimeouts(runner, async () => {
    const found = (await runner.query(
      'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [name],
    )) as { valid: boolean }[];
    if (found[0]?.valid === false) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(statement(`CONCURRENTLY IF NOT EXISTS ${name}`));
  });
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

/** Runs a statement that locks rows, again where another transaction has kept it from them. */
export async function queryRows<Row>(
  runner: QueryRunner,
  statement: string,
  values: readonly unknown[],
): Promise<Row[]> {
  for (;;) {
    try {
      return (await runner.query(statement, [...values])) as Row[];
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code !== DEADLOCK && code !== LOCK_NOT_AVAILABLE) throw error;
    }
  }
}
