// The statements of a cluster, on a plain database that says that its tables are distributed. What Citus does
// with them is shown by `npm run test:citus`.
import { query } from '../faults/embedded-support.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TestService } from '../support/test-service.js';

let database: TestDatabase;
let service: TestService;
let client: ApiClient;

beforeAll(async () => {
  database = await createTestDatabase({ prefix: 'forms' });
  // What stands in `public` hides what PostgreSQL has itself.
  await query(
    database.url,
    `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET search_path = public, pg_catalog;
     CREATE TABLE pg_extension AS SELECT 'citus' AS extname, '13.0-1' AS extversion;
     CREATE TABLE pg_dist_partition AS SELECT 'accounts'::regclass AS logicalrelid`,
  );
  service = await TestService.start({ database });
  client = await service.login('acme');
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const create = (headers = {}): Promise<ApiResponse> =>
  client.post('/contacts', { fields: { first_name: 'Ada' } }, { headers });

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const TIER = `accounts:
  - slug: acme
    fields: [{ object_type: contacts, internal_name: tier, type: string }]`;

const count = async (): Promise<number> => (await client.get('/contacts')).body.pagination.count;

it('create, change, archive and restore a record, alone or beside others [contract 13]', async () => {
  const { status, body } = await create();
  expect(status).toBe(201);
  const path = `/contacts/${body.id}`;
  const changed = await client.patch(path, { fields: { first_name: 'Grace' } });
  expect(changed).toMatchObject({ status: 200, body: { first_name: 'Grace' } });
  const statuses = [];
  for (const write of [
    () => client.delete(path),
    () => client.delete(path),
    () => client.post(`${path}/restore`),
    () => client.patch('/contacts/nobody@acme.test?id_property=email', { fields: { city: 'London' } }),
  ])
    statuses.push((await write()).status);
  expect(statuses).toEqual([200, 404, 200, 404]);
  const together = await Promise.all(Array.from({ length: 20 }, () => create()));
  expect(new Set(together.map((each) => each.body.id)).size).toBe(20);
});

it('write nothing by a configuration that another process has changed', async () => {
  for (const headers of [{}, { 'Idempotency-Key': 'once' }]) {
    await service.apply(TIER);
    const send = (): Promise<ApiResponse> =>
      client.post('/contacts', { fields: { first_name: 'Ada', tier: 'gold' } }, { headers });
    expect((await client.post('/contacts', { fields: { first_name: 'Eve', tier: 'gold' } })).status).toBe(
      201,
    );
    const before = await count();
    await sql(service, 'UPDATE accounts SET config_version = config_version + 1');
    await sql(service, `UPDATE field_definitions SET archived_at = now() WHERE internal_name = 'tier'`);
    expect((await send()).status).toBe(400);
    expect(await count()).toBe(before);
    expect((await create({ 'Idempotency-Key': `after-${before}` })).status).toBe(201);
  }
});

it('list records line by line, with the count of all', async () => {
  const { body: all } = await client.get('/contacts?limit=100');
  expect(all.data).toHaveLength(all.pagination.count);
  const pages = [];
  for (let next: string | null = ''; next !== null;) {
    const { body }: ApiResponse = await client.get(`/contacts?limit=7${next === '' ? '' : `&after=${next}`}`);
    expect(body.pagination.count).toBe(all.pagination.count);
    pages.push(...body.data);
    next = body.pagination.next;
  }
  expect(pages).toEqual(all.data);
  const { body: none } = await client.get('/deals');
  expect([none.data, none.pagination.count]).toEqual([[], 0]);
});

it('dispatch one record or several, with what a log has of them, and simulate [contract 4]', async () => {
  const account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    routers: [router('R', {}, { users: people(['ada', 'bob']) })],
  });
  const ids = await account.contacts(5);
  const company = (await account.api.post('/companies', { fields: { company_name: 'One' } })).body.id;
  expect((await account.simulate('R', { fields: {} })).body.user).toBe(mail('ada'));
  expect(await account.assign('R', ids[0])).toBe('ada');
  expect((await account.simulate('R', { fields: {} })).body.user).toBe(mail('bob'));
  const { body } = await account.batch('R', [...ids.slice(1), company, UNKNOWN]);
  expect(body.results.map(({ user, status }: any) => user ?? status)).toEqual([
    ...['bob', 'ada', 'bob', 'ada'].map(mail),
    400,
    404,
  ]);
  const contact = (await account.api.get(`/contacts/${ids[1]}?properties=contact_owner_assigned_date`)).body;
  expect(contact).toMatchObject({
    contact_owner: mail('bob'),
    contact_owner_assigned_date: contact.updated_at,
  });
  expect((await account.log()).map((entry) => entry.user_email)).toEqual(
    ['ada', 'bob', 'ada', 'bob', 'ada'].map(mail),
  );
});
