import type { ApiClient } from '../support/api-client.js';
import { indexesDone, wrongKeys } from '../support/database/index-keys.js';
import { RoutingAccount } from '../support/routing-account.js';
import { ServerProcesses } from '../support/processes/server-processes.js';
import { sql } from '../support/database/stored-records.js';
import { waitFor } from '../support/wait-for.js';

/** Records before the index: ten parts. */
const RECORDS = 20_000;
const FIELDS = [{ object_type: 'contacts', internal_name: 'tier', type: 'string' }];

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

it('Two processes build an index while records are written; one is killed in the middle, and the index is whole [contract 7]', async () => {
  const account = await RoutingAccount.open(servers.desk, { fields: FIELDS });
  const { accountId } = await servers.desk.account(account.slug);
  await sql(
    servers.desk,
    `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
      SELECT $1, 'contacts', uuid_v7(at), jsonb_build_object('last_name', 'L', 'tier', 'T' || n % 10), at, at
      FROM generate_series(1, $2::int) AS n
      CROSS JOIN LATERAL (SELECT now() - interval '1 day' + n * interval '1 second' AS at) AS t`,
    [accountId, RECORDS],
  );
  const rows = await sql<{ id: string }>(
    servers.desk,
    'SELECT id FROM records WHERE random() < 0.02 LIMIT 400',
  );
  const [{ process: victim, api: dying }, { process: survivor, api }] = await Promise.all([
    servers.start(account),
    servers.start(account),
  ]);
  await account.apply({ fields: [{ ...FIELDS[0]!, indexed: true }] });

  let isDone = false;
  const write = async (client: ApiClient, some: readonly { id: string }[]): Promise<void> => {
    for (const { id } of some) {
      const body = { fields: { tier: `T${Math.floor(Math.random() * 10)}` } };
      const sent = await client
        .patch(`/contacts/${id}`, body)
        .catch(() => api.patch(`/contacts/${id}`, body));
      expect(sent.status).toBe(200);
      if (isDone) return;
    }
  };
  const writing = Promise.all([write(dying, rows.slice(0, 200)), write(api, rows.slice(200))]);
  const begun = await waitFor('a part of the index', async () => {
    const [row] = await sql<{ keys: number; is_ready: boolean }>(
      servers.desk,
      'SELECT is_ready, (SELECT count(*)::int FROM record_index_keys) AS keys FROM record_indexes',
    );
    return row !== undefined && row.keys > 0 ? row : undefined;
  });
  expect(begun.is_ready).toBe(false);
  victim.signal('SIGKILL');
  expect(await victim.exit()).toBeNull();
  expect(await indexesDone(servers.desk)).toBe(1);
  isDone = true;
  await writing;

  const { missing } = await wrongKeys(servers.desk);
  expect(missing).toBe(0);
  const filter = { groups: [{ conditions: [{ field: 'tier', operator: 'eq', value: 't3' }] }] };
  const { body } = await api.post('/contacts/search', { filter, count: true });
  const [truth] = await sql<{ count: number }>(
    servers.desk,
    `SELECT count(*)::int AS count FROM records WHERE fields ->> 'tier' = 'T3'`,
  );
  expect(body.pagination.count).toBe(truth!.count);
  expect(survivor.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(await survivor.stop()).toBe(0);
}, 300_000);
