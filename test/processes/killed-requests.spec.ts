import type { ApiResponse } from '../support/api-client.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { ServerProcesses, type Seat } from '../support/server-processes.js';
import { sql } from '../support/stored-records.js';

/** Milliseconds for the tests of this file, which start many processes. */
jest.setTimeout(240_000);

const ROUNDS = 6;
const EACH = 40;
const TEAM = ['ada', 'bob', 'eve'];

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

/** Sends a request again until it has an answer, to the process that runs then. */
async function untilAnswered(
  seat: () => Promise<Seat>,
  send: (seat: Seat) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  for (;;) {
    try {
      const answer = await send(await seat());
      if (answer.status < 500 && answer.body?.code !== 'idempotency_in_progress') return answer;
    } catch {
      // The process was killed: there is no answer.
    }
  }
}

it('Requests with keys, sent again to processes that are killed, have their effect once [contract 7]', async () => {
  const account = await RoutingAccount.open(servers.desk, {
    users: people(TEAM),
    routers: [router('R', { overwrite: true }, { users: people(TEAM) })],
  });
  const router_id = await account.routerId('R');
  let running = servers.start(account);
  const seat = (): Promise<Seat> => running;
  const keyed = (key: string): { headers: Record<string, string> } => ({
    headers: { 'Idempotency-Key': key },
  });
  let replayed = 0;
  const noted = (answer: ApiResponse): ApiResponse => {
    if (answer.headers.get('idempotency-replayed') === 'true') replayed++;
    return answer;
  };
  const dispatched = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const work = Array.from({ length: EACH }, async (_, n) => {
      const name = `${round}-${n}`;
      const fields = { first_name: name };
      const created = await untilAnswered(seat, ({ api }) =>
        api.post('/contacts', { fields }, keyed(`create-${name}`)),
      );
      expect(noted(created).status).toBe(201);
      const body = { router_id, object_id: created.body.id };
      const run = await untilAnswered(seat, ({ api }) =>
        api.post('/dispatch/router', body, keyed(`run-${name}`)),
      );
      expect(noted(run).body.success).toBe(true);
      dispatched.set(created.body.id, run.body.assignment_id);
    });
    const all = Promise.all(work);
    const { process } = await running;
    await new Promise((resolve) => setTimeout(resolve, 30 + 25 * round));
    process.signal('SIGKILL');
    running = servers.start(account);
    await all;
  }
  expect(dispatched.size).toBe(ROUNDS * EACH);
  const { accountId } = await servers.desk.account(account.slug);
  const ids = async (table: string, id: string): Promise<string[]> =>
    (
      await sql<{ id: string }>(
        servers.desk,
        `SELECT ${id} AS id FROM ${table} WHERE account_id = $1 ORDER BY 1`,
        [accountId],
      )
    ).map((row) => row.id);
  expect(await ids('records', 'id')).toEqual([...dispatched.keys()].sort());
  expect(await ids('assignments', 'id')).toEqual([...dispatched.values()].sort());
  // Some answers were lost, and what they told was not done again.
  expect(replayed).toBeGreaterThan(0);
  const counts = await sql<{ n: number }>(
    servers.desk,
    'SELECT count(*)::int AS n FROM assignments WHERE account_id = $1 GROUP BY user_email',
    [accountId],
  );
  expect(counts.map(({ n }) => n)).toEqual(TEAM.map(() => (ROUNDS * EACH) / TEAM.length));
});
