import type { Session } from './distribute.js';
import { requireOwnSessions } from './migrations.js';

/** A session that says which process it has. */
const session = (pid: () => number): Session => ({ query: () => Promise.resolve([{ pid: pid() }]) });

/** A pooler that hands out its sessions in turn: always the same one, or each after the others. */
function pooler(sessions: number): Session {
  let count = 0;
  return session(() => count++ % sessions);
}

describe('sessions', () => {
  it('are their own where each connection keeps its process', async () => {
    await expect(
      requireOwnSessions(
        session(() => 7),
        session(() => 8),
      ),
    ).resolves.toBeUndefined();
  });

  it.each([1, 2, 3, 4, 9])('of a pooler that hands out %i in turn are refused', async (sessions) => {
    const ask = pooler(sessions);
    await expect(requireOwnSessions(ask, ask)).rejects.toThrow(
      /DATABASE_URL is .* a connection pooler .* address of PostgreSQL itself/,
    );
  });

  it('of a pooler are refused when other clients change them later', async () => {
    const pids = [1, 2, 2, 1, 2, 3, 1, 2, 2];
    const ask = session(() => pids.shift() ?? 0);
    await expect(requireOwnSessions(ask, ask)).rejects.toThrow(/pooler/);
  });
});
