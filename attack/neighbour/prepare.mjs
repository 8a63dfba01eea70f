// Many records of the attacking account, inserted by SQL in seconds.
import pg from 'pg';

const INSERT = `
  INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
  SELECT a.id, 'contacts', uuid_v7(now() - n * interval '1 ms'),
    jsonb_build_object('first_name', 'Contact ' || n, 'country', 'US', 'company_name', 'Company ' || n),
    now(), now()
  FROM accounts a, generate_series(1, $2::int) AS n
  WHERE a.slug = $1
  RETURNING id`;

/** @returns the ids of some of the records */
export async function insertRecords({ databaseUrl, attacker }, count, wanted) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`WITH made AS (${INSERT}) SELECT id FROM made LIMIT $3`, [
      attacker.slug,
      count,
      wanted,
    ]);
    await client.query('VACUUM (ANALYZE) records').catch(() => client.query('ANALYZE records'));
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
}
