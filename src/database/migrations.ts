import type { DataSource, QueryRunner } from 'typeorm';
import { MIGRATION_LOCK } from './advisory-locks.js';
import { takeMigrationLock, type MigrationWait } from './migration-lock.js';
import { requireOwnSessions, SESSION_PROCESS } from './require-own-sessions.js';

/** The first migration of databases that were made before the first release, which are not upgraded. */
const UNRELEASED = 'CreateSchema1763700000000';

/**
 * Applies pending migrations. Processes of this release and of the one before may serve meanwhile, and
 * several processes may call it at once.
 * @param dataSource with at least two connections
 * @param wait how it waits while another process migrates. Default: silently, until that has ended
 * @returns the names of those that were applied.
 * @throws Error when its connections lead to a pooler in transaction mode, or the schema is one of before the
 *   first release; the reason of the signal
 */
export async function migrate(dataSource: DataSource, wait: MigrationWait = {}): Promise<string[]> {
  await requireSessions(dataSource);
  const guard = dataSource.createQueryRunner();
  try {
    await takeMigrationLock(guard, wait);
    await listApplied(dataSource);
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await guard.release();
  }
}

async function requireSessions(dataSource: DataSource): Promise<void> {
  const [first, second] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  try {
    await requireOwnSessions(
      () => processOf(first),
      () => processOf(second),
    );
  } finally {
    await first.release();
    await second.release();
  }
}

async function processOf(runner: QueryRunner): Promise<number | undefined> {
  const [row] = (await runner.query(SESSION_PROCESS)) as { pid: number }[];
  return row?.pid;
}

/**
 * Returns whether the database lacks migrations that this version of the program needs.
 * @throws Error when its schema is one of before the first release
 */
export async function isOutdated(dataSource: DataSource): Promise<boolean> {
  const applied = await listApplied(dataSource);
  return dataSource.migrations.some(({ name }) => name === undefined || !applied.includes(name));
}

/** The names of the applied migrations, of which later releases and other extensions may have added some. */
async function listApplied(dataSource: DataSource): Promise<readonly string[]> {
  // TypeORM's own check would create the table. A server that may not migrate must not do that.
  const [found] = await dataSource.query<{ present: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS present`,
  );
  if (found?.present !== true) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const names = rows.map(({ name }) => name);
  if (names.includes(UNRELEASED)) {
    throw new Error(
      'The database was made by a version of before the first release, whose schema is not upgraded: ' +
        'start with a new one, at another DATABASE_URL or DATA_DIR',
    );
  }
  return names;
}
