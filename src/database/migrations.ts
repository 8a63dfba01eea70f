import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { MIGRATION_LOCK } from './connection/advisory-locks.js';
import { distribute, isDistributed, requireCoordinator, type Session } from './distribute.js';

const PRESENT = `SELECT to_regclass('migrations') IS NOT NULL AS present`;

/**
 * Applies pending migrations. Then distributes what is not, where `shards` says so or other tables are
 * distributed already. Processes of this release and of the one before may serve meanwhile, and several
 * processes may call it at once.
 * @param dataSource with at least two connections
 * @param wait how it waits while another process migrates. Default: silently, until that has ended
 * @throws Error when its connections lead to a pooler in transaction mode; the reason of the signal
 */
export async function migrate(
  dataSource: DataSource,
  { shards, ...wait }: MigrationWait & Sharding = {},
): Promise<Migrated> {
  await requireSessions(dataSource);
  const guard = dataSource.createQueryRunner();
  try {
    await takeMigrationLock(guard, wait);
    const applied = await dataSource.runMigrations();
    const isDue = shards !== undefined || (await isDistributed(guard));
    const distributed = isDue ? await distribute(guard, shards) : [];
    return { applied: applied.map(({ name }) => name), distributed };
  } finally {
    await guard.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await guard.release();
  }
}

async function requireSessions(dataSource: DataSource): Promise<void> {
  const [first, second] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  try {
    await requireOwnSessions(first, second);
  } finally {
    await first.release();
    await second.release();
  }
}

/** Returns whether the database lacks migrations that this version of the program needs. */
export async function isOutdated(dataSource: DataSource): Promise<boolean> {
  const applied = await appliedMigrations(dataSource);
  return dataSource.migrations.some(({ name }) => name === undefined || !applied.includes(name));
}

/**
 * Returns the names of the applied migrations in their order. Later releases and other extensions may have
 * added some.
 */
export async function appliedMigrations(session: Session): Promise<readonly string[]> {
  // TypeORM's own check would create the table. A server that may not migrate must not do that.
  const [found] = (await session.query(PRESENT)) as { present: boolean }[];
  if (found?.present !== true) return [];
  const rows = (await session.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** What a call of `migrate` has changed. */
export interface Migrated {
  /** Names of the migrations that were applied. */
  readonly applied: string[];
  /** Names of the tables that were distributed. */
  readonly distributed: string[];
}

/** How the tables of a cluster are distributed. */
export interface Sharding {
  /** Parts into which each table is cut; undefined for a database that is not to be distributed. */
  readonly shards?: number | undefined;
}

/** How a wait for another migration goes on. */
export interface MigrationWait {
  /** Receives messages for the person who waits. */
  readonly log?: ((message: string) => void) | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds between two attempts to begin. */
const POLL = 100;

/** Milliseconds of waiting after which it is said for the first time, and then again. */
const SAID = { after: 2_000, again: 60_000 };

const TRY_LOCK = 'SELECT pg_try_advisory_lock($1) AS locked';
const TRY_SHARED_LOCK = 'SELECT pg_try_advisory_lock_shared($1) AS locked';

/** $1 key. The sessions that hold it: `pg_locks` has the two halves of the key. */
const HOLDERS = `SELECT pid, application_name AS name, date_trunc('second', now() - backend_start)::text AS age
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND pg_locks.database =
    (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = $1`;

/**
 * Takes the lock of migrations for the session. Waits while another session has it, and then says which.
 * @param wait.isShared the session migrates nothing, and only keeps others from it
 * @throws the reason of the signal; Error where the session is one of a worker of a cluster
 */
export async function takeMigrationLock(
  session: Session,
  { log, signal, isShared = false }: MigrationWait & { readonly isShared?: boolean },
): Promise<void> {
  await requireCoordinator(session);
  const tryLock = isShared ? TRY_SHARED_LOCK : TRY_LOCK;
  const started = performance.now();
  let saidAt = started + SAID.after - SAID.again;
  // A statement that waits for the lock would have a snapshot, and an index that is created concurrently
  // waits for whoever has an older one.
  while (!(await takes(session, tryLock))) {
    signal?.throwIfAborted();
    if (performance.now() - saidAt >= SAID.again) {
      saidAt = performance.now();
      log?.(`Waiting for a migration or a dump to end: ${await holders(session)}`);
    }
    await delay(POLL);
  }
}

async function takes(session: Session, tryLock: string): Promise<boolean> {
  const [row] = (await session.query(tryLock, [MIGRATION_LOCK])) as { locked: boolean }[];
  return row?.locked === true;
}

async function holders(session: Session): Promise<string> {
  const rows = (await session.query(HOLDERS, [MIGRATION_LOCK])) as Record<'pid' | 'name' | 'age', string>[];
  if (rows.length === 0) return 'it has just ended';
  const all = rows.map(({ pid, name, age }) => `${pid} (application_name "${name}", connected for ${age})`);
  return `its lock is held by the PostgreSQL process ${all.join(', ')}`;
}

const ROUNDS = 3;

/**
 * Makes sure that each connection has a session of its own. A pooler in transaction mode gives every
 * statement one of several, so a lock or a setting of the session would stay with somebody else.
 *
 * The order of the questions shows a pooler without other clients, whether it hands out the session that was
 * used last or the one that was used first. Other clients make it hand out more of them.
 * @param first a session over one connection, `second` over another
 * @throws Error with advice
 */
export async function requireOwnSessions(first: Session, second: Session): Promise<void> {
  const [ones, others] = [new Set<number | undefined>(), new Set<number | undefined>()];
  for (let round = 0; round < ROUNDS; round++) {
    ones.add(await processOf(first));
    others.add(await processOf(second));
    others.add(await processOf(second));
  }
  if (ones.size === 1 && others.size === 1 && new Set([...ones, ...others]).size === 2) return;
  throw new Error(
    'DATABASE_URL is the address of a connection pooler in transaction mode, and migrations, dumps and loads need ' +
      'sessions of their own: set it to the address of PostgreSQL itself for this command (docs/pgbouncer.md)',
  );
}

async function processOf(session: Session): Promise<number | undefined> {
  const [row] = (await session.query('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
  return row?.pid;
}
