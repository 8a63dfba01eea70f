// A service of its own: it forgets old entries.
import { MonthDropper } from '../../src/assignments/months/month-dropper.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';

const [TRACES, ENTRIES] = [40, 100];
const DAY = 86_400_000;

let service: TestService;
let account: RoutingAccount;

beforeAll(async () => {
  service = await TestService.start({ traceRetentionDays: TRACES, assignmentRetentionDays: ENTRIES });
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    routers: [
      router('R', { reimburse_within_minutes: 60, overwrite: true }, { users: people(['ada', 'bob']) }),
    ],
  });
});
afterAll(() => service.stop());

/** Drops as at an instant so many days after the first partition has ended. */
async function dropAfter(days: number): Promise<string[]> {
  const [row] = await sql<{ end: string }>(
    service,
    `SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''([0-9a-f-]+)''') AS end
      FROM pg_class WHERE relname = 'assignments_first' OR relname = 'assignment_traces_first' LIMIT 1`,
  );
  const end = Number.parseInt((row?.end ?? '').replace('-', '').slice(0, 12), 16);
  return service.app.get(MonthDropper, { strict: false }).drop(new Date(end + days * DAY));
}

/** The assignments whose turns are owed. */
const returned = async (): Promise<string[]> =>
  (
    await sql<{ id: string }>(
      service,
      'SELECT assignment_id AS id FROM returned_assignments WHERE rotation_key IS NOT NULL ORDER BY 1',
    )
  ).map(({ id }) => id);

it('forgets the traces of a month, then its runs, and says no longer that they were there [contract 6]', async () => {
  await account.turns('R', 3);
  const ids = (await account.log()).map(({ id }) => id);
  const { api } = account;
  expect((await api.get(`/assignments/${ids[0]}`)).body.trace.length).toBeGreaterThan(0);

  expect(await dropAfter(TRACES - 1)).toEqual([]);
  expect(await dropAfter(TRACES)).toEqual(['assignment_traces_first']);
  expect((await api.get(`/assignments/${ids[0]}`)).body).toMatchObject({ id: ids[0], trace: null });
  expect((await api.get('/assignments')).body.pagination.count).toBe(3);

  // Two turns are owed, one of them by a change of the owner behind the end of the month.
  const given = (await account.log()).slice(0, 2);
  for (const { object_id } of given)
    expect((await api.patch(`/contacts/${object_id}`, { fields: { contact_owner: null } })).status).toBe(200);
  await sql(
    service,
    `UPDATE returned_assignments SET returned_at = now() + interval '40 days' WHERE assignment_id = $1`,
    [ids[0]],
  );
  expect(await returned()).toEqual(ids.slice(0, 2));

  const behind = (await api.get('/assignments?limit=1')).body.pagination.next;
  expect(await dropAfter(ENTRIES)).toContain('assignments_first');
  expect((await api.get(`/assignments/${ids[0]}`)).status).toBe(404);
  expect(await returned()).toEqual([ids[0]]);
  expect((await api.get('/assignments')).body).toMatchObject({
    data: [],
    pagination: { count: 0, next: null },
  });
  expect((await api.get(`/assignments?limit=1&after=${behind}`)).body.data).toEqual([]);

  // What points to them goes on: a change of the owner, within the minutes in which turns are returned.
  const [owned] = await sql<{ id: string }>(
    service,
    'SELECT id FROM records WHERE owner IS NOT NULL LIMIT 1',
  );
  const changed = await api.patch(`/contacts/${owned?.id}`, { fields: { contact_owner: '' } });
  expect(changed.status).toBe(200);
  await account.turns('R', 1);
  expect((await api.get('/assignments')).body.pagination.count).toBe(1);
});
