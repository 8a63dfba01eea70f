import { Client } from 'pg';

/**
 * Without those that Citus brings along. Rows are read through their table, whichever of its partitions they
 * are in.
 */
const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
  WHERE schemaname !~ '^(pg|columnar)_' AND schemaname <> 'information_schema' AND tablename <> 'migrations'
    AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', schemaname, tablename)::regclass)
  ORDER BY 1`;

/** Returns every row of every table of a database but `migrations` as text, by the name of the table. */
export async function tableRows(url: string): Promise<Record<string, string[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SET TimeZone = 'UTC'; SET extra_float_digits = 3`);
    const tables = await client.query<{ name: string }>(TABLES);
    const rows: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t ORDER BY 1`);
      rows[name] = found.rows.map(({ row }) => row);
    }
    return rows;
  } finally {
    await client.end();
  }
}

/** Tables that the service goes on to write when nobody asks for anything. */
const WRITTEN = /\.(record_counts|record_count_changes|record_indexes|request_counts|processes)$/;

/** As `tableRows`, of the other tables. */
export const settledRows = async (url: string): Promise<object> =>
  Object.fromEntries(Object.entries(await tableRows(url)).filter(([name]) => !WRITTEN.test(name)));
