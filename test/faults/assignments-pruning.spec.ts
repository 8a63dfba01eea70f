// A service of its own: it forgets old traces.
import { Client } from 'pg';
import { AssignmentsRepository } from '../../src/assignments/assignments.repository.js';
import { TracePruner } from '../../src/assignments/http.js';
import { Database } from '../../src/database/index.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.start({ traceRetentionDays: 30 });
});
afterAll(() => service.stop());

/** Puts the traces where an earlier release has them: into the entries. */
async function asEarlier(): Promise<void> {
  await sql(
    service,
    `WITH moved AS (DELETE FROM assignment_traces RETURNING *)
      UPDATE assignments a SET trace = m.trace FROM moved m WHERE a.account_id = m.account_id AND a.id = m.id`,
  );
}

it('drops the traces of old runs and keeps the runs [contract 6]', async () => {
  const api = await service.login('acme', ['records:write', 'dispatch', 'routers:read']);
  await service.apply(`accounts: [{ slug: acme, users: [{ email: a@x.test }], routers: [
    { name: R, object_type: contacts, published: true, settings: {}, users: [{ email: a@x.test }] }] }]`);
  const router = (await api.get('/routers')).body.data[0].id;
  const ids: string[] = [];
  for (const name of ['old', 'new']) {
    const { body } = await api.post('/contacts', { fields: { first_name: name } });
    const run = await api.post('/dispatch/router', { router_id: router, object_id: body.id });
    ids.push(run.body.assignment_id);
  }
  const [old, fresh] = ids;
  await asEarlier();
  const moved = '018e0000-0000-7000-8000-000000000001';
  await sql(service, `UPDATE assignments SET id = $2, created_at = '2024-03-01T00:00:00Z' WHERE id = $1`, [
    old,
    moved,
  ]);

  const pruner = service.app.get(TracePruner, { strict: false });
  expect(await pruner.prune(new Date())).toBe(1);
  expect(await pruner.prune(new Date())).toBe(0);
  const pruned = (await api.get(`/assignments/${moved}`)).body;
  expect(pruned).toMatchObject({ user: 'a@x.test', reason: 'round_robin', trace: null });
  expect((await api.get(`/assignments/${fresh}`)).body.trace.length).toBeGreaterThan(0);
});

describe('The traces of a range', () => {
  const open = async (runs: number): Promise<{ account: RoutingAccount; ids: string[] }> => {
    const account = await RoutingAccount.open(service, {
      users: people(['ada']),
      routers: [router('R', {}, { users: people(['ada']) })],
    });
    await account.turns('R', runs);
    await asEarlier();
    return { account, ids: (await account.log()).map(({ id }) => id) };
  };
  const drop = async (account: RoutingAccount, from: string, before: string, limit = 10): Promise<string[]> =>
    service.app
      .get(AssignmentsRepository, { strict: false })
      .dropTraces(service.app.get(Database, { strict: false }), await service.account(account.slug), {
        from,
        before,
        limit,
      });
  const LAST = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

  it('are dropped from the first id on, before the last, each once, and of no other account [5.3, contract 6]', async () => {
    const { account, ids } = await open(5);
    const other = await open(1);
    const [, second = '', , fourth = ''] = ids;
    expect(await drop(account, second, fourth)).toEqual(ids.slice(1, 3));
    expect(await drop(account, second, fourth)).toEqual([]);
    expect(await drop(account, ids[0]!, LAST)).toEqual([ids[0], ids[3], ids[4]]);
    expect((await other.account.log())[0]?.trace).not.toBeNull();
  });

  it('are dropped the oldest first, no more than asked for [contract 6]', async () => {
    const { account, ids } = await open(5);
    expect(await drop(account, ids[0]!, LAST, 2)).toEqual(ids.slice(0, 2));
    expect((await account.log()).map(({ trace }: { trace: unknown }) => trace === null)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('are left to whoever drops them already, without waiting [contract 6]', async () => {
    const { account, ids } = await open(3);
    const holder = new Client({ connectionString: service.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM assignments WHERE id = $1 FOR UPDATE', [ids[1]]);
      expect(await drop(account, ids[0]!, LAST)).toEqual([ids[0], ids[2]]);
    } finally {
      await holder.end();
    }
  });
});
