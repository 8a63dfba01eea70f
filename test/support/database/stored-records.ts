import { poolOf } from './pool-of.js';
import type { TestService } from '../test-service.js';

/** A row of the table behind all records. */
export interface StoredRecord {
  readonly id: string;
  readonly object_type: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly archived_at: Date | null;
}

/** The value to which `backdate` sets the time columns of a record. */
export const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** Runs SQL directly on the service's database. */
export async function sql<Row = unknown>(
  { database }: TestService,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await poolOf(database.url).query(text, [...values]);
  return rows as Row[];
}

/** The id of a user of an account of the test file. */
export async function userIdOf(service: TestService, slug: string, email: string): Promise<string> {
  const [user] = await sql<{ id: string }>(
    service,
    'SELECT u.id FROM users u JOIN accounts a ON a.id = u.account_id WHERE a.slug = $1 AND u.email = $2',
    [service.slug(slug), email],
  );
  if (user === undefined) throw new Error(`There is no user ${email}`);
  return user.id;
}

/** Every record of every account of the test file, with all that is stored of it. */
export function storedRecords(service: TestService): Promise<StoredRecord[]> {
  return sql<StoredRecord>(
    service,
    'SELECT * FROM records WHERE account_id IN (SELECT id FROM accounts WHERE slug LIKE $1) ORDER BY id',
    [`%${service.slug('')}`],
  );
}

/**
 * Sets the times of a record, also those among its fields, to LONG_AGO, so that a change of them is visible.
 */
export async function backdate(service: TestService, id: string): Promise<void> {
  await sql(
    service,
    `UPDATE records SET created_at = $2, updated_at = $2, fields = fields || COALESCE(
       (SELECT jsonb_object_agg(key, $3::text) FROM jsonb_object_keys(fields) AS key WHERE key LIKE '%\\_assigned\\_date'),
       '{}')
     WHERE id = $1`,
    [id, LONG_AGO, LONG_AGO],
  );
}
