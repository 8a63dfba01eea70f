import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../support/api-client.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { ServerProcesses, type Seat } from '../support/processes/server-processes.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';

const ROUNDS = storm(6, 2);
/** Requests of a round, a multiple of the team. */
const EACH = 3 * storm(14, 6);
const TEAM = ['ada', 'bob', 'eve'];

let servers: ServerProcesses;
/** Requests that were sent and got no answer. */
let cut = 0;

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
      cut += 1;
    }
    await delay(20);
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
  const create = (name: string): Promise<ApiResponse> =>
    untilAnswered(seat, ({ api }) =>
      api.post('/contacts', { fields: { first_name: name } }, keyed(`create-${name}`)),
    );
  const run = (name: string, object_id: string): Promise<ApiResponse> =>
    untilAnswered(seat, ({ api }) =>
      api.post('/dispatch/router', { router_id, object_id }, keyed(`run-${name}`)),
    );
  const done = new Map<string, { created: ApiResponse; ran: ApiResponse }>();
  let rounds = 0;
  for (; rounds < ROUNDS || cut === 0; rounds++) {
    const work = Array.from({ length: EACH }, async (_, n) => {
      const name = `${rounds}-${n}`;
      const created = await create(name);
      expect(created.status).toBe(201);
      const ran = await run(name, created.body.id);
      expect(ran.body.success).toBe(true);
      done.set(name, { created, ran });
    });
    const all = Promise.all(work);
    const { process } = await running;
    await new Promise((resolve) => setTimeout(resolve, 30 + 25 * (rounds % ROUNDS)));
    process.signal('SIGKILL');
    running = servers.start(account);
    await all;
  }
  // What each request was answered is known to the last process, though others have done most of them.
  for (const [name, { created, ran }] of done) {
    for (const [first, again] of [
      [created, await create(name)],
      [ran, await run(name, created.body.id)],
    ] as const) {
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    }
  }
  expect(done.size).toBe(rounds * EACH);
  const answers = [...done.values()];
  const { accountId } = await servers.desk.account(account.slug);
  const ids = async (table: string, id: string): Promise<string[]> =>
    (
      await sql<{ id: string }>(
        servers.desk,
        `SELECT ${id} AS id FROM ${table} WHERE account_id = $1 ORDER BY 1`,
        [accountId],
      )
    ).map((row) => row.id);
  expect(await ids('records', 'id')).toEqual(answers.map(({ created }) => created.body.id).sort());
  expect(await ids('assignments', 'id')).toEqual(answers.map(({ ran }) => ran.body.assignment_id).sort());
  const counts = await sql<{ n: number }>(
    servers.desk,
    'SELECT count(*)::int AS n FROM assignments WHERE account_id = $1 GROUP BY user_id',
    [accountId],
  );
  expect(counts.map(({ n }) => n)).toEqual(TEAM.map(() => (rounds * EACH) / TEAM.length));
});
