// The sessions of the service in a database.

const SESSIONS = `SELECT pid, state, query FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'fairlead' AND pid <> pg_backend_pid() ORDER BY pid`;

/** @returns rows { pid, state, query } */
export async function sessionsOf(client) {
  return (await client.query(SESSIONS)).rows;
}

/** Ends sessions as an administrator does. */
export async function terminate(client, pids) {
  await client.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
}
