import { setTimeout as delay } from 'node:timers/promises';
import { MIGRATION_LOCK } from './advisory-locks.js';

/** A session of PostgreSQL: a QueryRunner of TypeORM, for one. */
interface Session {
  /** Runs a statement. @returns its rows */
  query(text: string, values: readonly unknown[]): Promise<unknown>;
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
 * @throws the reason of the signal
 */
export async function takeMigrationLock(
  session: Session,
  { log, signal, isShared = false }: MigrationWait & { readonly isShared?: boolean },
): Promise<void> {
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
