import type { DataSource } from 'typeorm';
import { MIGRATION_LOCK } from './advisory-locks.js';

/**
 * Applies pending migrations, each in its own transaction. Several processes may call it at once.
 * @returns the names of those that were applied.
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const guard = dataSource.createQueryRunner();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await guard.release();
  }
}

/** Returns whether the database lacks migrations that this version of the program needs. */
export async function isOutdated(dataSource: DataSource): Promise<boolean> {
  // TypeORM's own check would create the table. A server that may not migrate must not do that.
  const [found] = await dataSource.query<{ present: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS present`,
  );
  if (found?.present !== true) return true;
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const applied = new Set(rows.map(({ name }) => name));
  return dataSource.migrations.some(({ name }) => name === undefined || !applied.has(name));
}
