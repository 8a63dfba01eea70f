// A service of its own: it forgets old entries.
import { LogSweep } from '../../../src/assignments/log-sweep.js';
import { people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

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

/** Deletes as at an instant so many days from now. */
const sweepAfter = (days: number): Promise<object> =>
  service.app.get(LogSweep, { strict: false }).sweep(new Date(Date.now() + days * DAY));

/** The assignments whose turns are owed. */
const owed = async (): Promise<string[]> => {
  const rows = await sql<{ id: string }>(service, 'SELECT id FROM assignments WHERE turn_owed ORDER BY 1');
  return rows.map(({ id }) => id);
};

it('forgets traces, then their runs, and says no longer that they were there [contract 6]', async () => {
  await account.turns('R', 4);
  const ids = (await account.log()).map(({ id }) => id);
  const { api } = account;
  expect((await api.get(`/assignments/${ids[3]}`)).body.trace.length).toBeGreaterThan(0);

  expect(await sweepAfter(TRACES - 1)).toEqual({ assignment_traces: 0, assignments: 0 });
  expect(await sweepAfter(TRACES + 1)).toEqual({ assignment_traces: 4, assignments: 0 });
  expect((await api.get(`/assignments/${ids[3]}`)).body).toMatchObject({ id: ids[3], trace: null });
  expect((await api.get('/assignments')).body.pagination.count).toBe(4);

  // Two turns are owed, one of them by a change of the owner behind the end of the retention.
  const given = (await account.log()).slice(0, 2);
  for (const { object_id } of given)
    expect((await api.patch(`/contacts/${object_id}`, { fields: { contact_owner: null } })).status).toBe(200);
  await sql(service, `UPDATE assignments SET returned_at = now() + interval '40 days' WHERE id = $1`, [
    ids[0],
  ]);
  expect(await owed()).toEqual(ids.slice(0, 2));

  const behind = (await api.get('/assignments?limit=1')).body.pagination.next;
  expect(await sweepAfter(ENTRIES + 1)).toEqual({ assignment_traces: 0, assignments: 3 });
  expect((await api.get(`/assignments/${ids[1]}`)).status).toBe(404);
  expect(await owed()).toEqual([ids[0]]);
  expect((await api.get('/assignments')).body.pagination.count).toBe(1);
  expect(await sweepAfter(ENTRIES + 41)).toEqual({ assignment_traces: 0, assignments: 1 });
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
