/** The process of the session that runs the statement. */
export const SESSION_PROCESS = 'SELECT pg_backend_pid() AS pid';

const ROUNDS = 3;

/**
 * Makes sure that each connection has a session of its own. A pooler in transaction mode gives every
 * statement one of several, so a lock or a setting of the session would stay with somebody else.
 *
 * The order of the questions shows a pooler without other clients, whether it hands out the session that was
 * used last or the one that was used first. Other clients make it hand out more of them.
 * @param first returns what SESSION_PROCESS answers over one connection, `second` over another
 * @throws Error with advice
 */
export async function requireOwnSessions(
  first: () => Promise<number | undefined>,
  second: () => Promise<number | undefined>,
): Promise<void> {
  const [ones, others] = [new Set<number | undefined>(), new Set<number | undefined>()];
  for (let round = 0; round < ROUNDS; round++) {
    ones.add(await first());
    others.add(await second());
    others.add(await second());
  }
  if (ones.size === 1 && others.size === 1 && new Set([...ones, ...others]).size === 2) return;
  throw new Error(
    'DATABASE_URL is the address of a connection pooler in transaction mode, and migrations, dumps and loads need ' +
      'sessions of their own: set it to the address of PostgreSQL itself for this command (docs/pgbouncer.md)',
  );
}
