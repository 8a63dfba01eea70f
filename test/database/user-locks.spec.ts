import { userLock } from '../../src/database/index.js';
import { LOCK_USERS } from '../../src/dispatch/transaction/dispatch.statements.js';
import { poolOf } from '../support/pool-of.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitFor } from '../support/wait-for.js';

const ACCOUNT = '01890000-0000-7000-8000-000000000000';
const EMAILS = Array.from({ length: 300 }, (_, n) => `user-${n}@acme.test`);

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(() => database.drop());

it('The locks of users are taken in one order, so that no two dispatches wait for each other [contract 4]', async () => {
  const pool = poolOf(database.url);
  const [holder, dispatch] = [await pool.connect(), await pool.connect()];
  const key = userLock('$1', 'email');
  await holder.query(`SELECT pg_advisory_lock(max(${key})) FROM unnest($2::text[]) AS email`, [
    ACCOUNT,
    EMAILS,
  ]);
  await dispatch.query('BEGIN');
  const locking = dispatch.query(LOCK_USERS.text, [ACCOUNT, EMAILS]);
  const counts = async (): Promise<unknown> => {
    const { rows } = await pool.query(
      `SELECT count(*) FILTER (WHERE granted)::int AS granted, count(*) FILTER (WHERE NOT granted)::int AS waits
        FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return rows[0];
  };
  await waitFor('the dispatch to wait', async () => ((await counts()) as { waits: number }).waits === 1);
  // The one that it waits for is the last.
  expect(await counts()).toEqual({ granted: EMAILS.length, waits: 1 });
  await holder.query('SELECT pg_advisory_unlock_all()');
  await locking;
  // The locks end with their sessions.
  for (const client of [holder, dispatch]) client.release(true);
});
