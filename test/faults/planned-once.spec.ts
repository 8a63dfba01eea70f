// A service of its own: the plans of its sessions are counted.
import { DataSource } from 'typeorm';
import type { Client } from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

/** How often PostgreSQL plans a statement of a connection for its values, before it may plan for all. */
const AT_FIRST = 5;

/** Enough for each of the connections. */
const TIMES = 15;

/** Work that is done about once a second, whatever requests do. */
const IN_BACKGROUND = /^(record_counts|record_counters|record_indexes|request_counts|api_client)_/;

let service: TestService;
let account: RoutingAccount;

/** An account with a router for each way in which a decision counts. */
const open = (): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: [...people(['ada', 'bob']), ...people(['eve', 'dan'], { limits: { day: 1_000 } })],
    capacities: [
      {
        name: 'Open',
        object_type: 'contacts',
        field: 'city',
        values: ['Paris', 'Rome'],
        users: people(['eve', 'dan'], { max: 1_000 }),
      },
    ],
    routers: [
      router('R', { overwrite: true }, { users: people(['ada', 'bob']) }),
      router('limits', { overwrite: true }, { users: people(['eve', 'dan']) }),
      router(
        'load',
        { overwrite: true, distribution_model: 'load balanced' },
        { users: people(['ada', 'bob']) },
      ),
      router('matching', { overwrite: true, account_matching: true }, { users: people(['ada', 'bob']) }),
    ],
  });

/** Inserts contacts of an account. */
async function insert({ slug }: RoutingAccount, count: number): Promise<void> {
  await sql(
    service,
    `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
      SELECT a.id, 'contacts', uuid_v7(now() - n * interval '1 s'), '{"city": "Paris"}', now(), now()
      FROM accounts a CROSS JOIN generate_series(1, $2::int) n WHERE a.slug = $1`,
    [slug, count],
  );
}

/** Finds some of the contacts. */
const OWNED = {
  groups: [{ conditions: [{ field: 'contact_owner', operator: 'equals', value: 'bob@acme.test' }] }],
};

/** What a client does all day, in a round of its own. */
async function work(api: ApiClient, n: number): Promise<void> {
  const { body: created } = await api.post('/contacts', { fields: { email: `c${n}@x.test` } });
  await api.patch(`/contacts/${created.id}`, { fields: { city: `City ${n}` } });
  await api.patch(`/contacts/${created.id}`, { fields: { contact_owner: 'bob@acme.test' } });
  await account.dispatch('R', created.id);
  await api.get(`/contacts/${created.id}`);
  for (const path of ['/contacts', '/assignments']) {
    const { body } = await api.get(`${path}?limit=${1 + n}`);
    await api.get(`${path}?limit=100`);
    await api.get(`${path}?after=${body.pagination.next}`);
    await api.get(`${path}?offset=${1 + n}`);
  }
  await api.get('/contacts?archived=true');
  await api.get('/contacts?properties=city,state');
  await api.get(`/assignments?object_id=${created.id}`);
  await api.get('/assignments?user=bob@acme.test');
  await api.get(`/contacts/c${n}@x.test?id_property=email`);
  await api.put(`/contacts/c${n}@x.test?id_property=email`, { fields: { state: `State ${n}` } });
  await api.get(`/contacts/${created.id}/history`);
  await api.post('/contacts/search', { filter: OWNED, limit: 1 + n });
  await api.post('/contacts/search', { limit: 1 + n });
  await api.post('/contacts/batch/create', { inputs: [{ fields: { city: `Batch ${n}` } }] });
  await api.post('/contacts/batch/read', { inputs: [{ id: created.id }] });
  await api.delete(`/contacts/${created.id}`);
}

/** How often a connection ran a statement with a plan for its values, and with one for all. */
interface Plans {
  readonly name: string;
  readonly custom: number;
  readonly generic: number;
}

/** The plans of all statements of all connections. */
async function planned(): Promise<Plans[]> {
  const { master } = service.app.get(DataSource).driver as unknown as { master: { _clients: Client[] } };
  const plans: Plans[] = [];
  for (const client of master._clients) {
    const { rows } = await client.query<Plans>(
      `SELECT name, custom_plans::int AS custom, generic_plans::int AS generic FROM pg_prepared_statements`,
    );
    plans.push(...rows);
  }
  return plans;
}

/** The statements that connections used more often than they must plan them for their values. */
async function used(): Promise<string[]> {
  const plans = await planned();
  return plans.filter(({ custom, generic }) => custom + generic > AT_FIRST).map(({ name }) => name);
}

/** Those of them that were planned for their values again. */
async function plannedAnew(): Promise<string[]> {
  const anew = (await planned()).filter(({ custom }) => custom > AT_FIRST).map(({ name }) => name);
  return anew.filter((name) => !IN_BACKGROUND.test(name));
}

describe.each([
  { of: 'an account by itself', contacts: 30_000, beside: 0 },
  { of: 'an account beside one of 100 times its size', contacts: storm(3_000), beside: 100 * storm(3_000) },
])('Statements of $of', ({ contacts, beside }) => {
  beforeAll(async () => {
    service = await TestService.start({ poolSize: 2 });
    account = await open();
    // A plan for all values has to be good enough for an account of some size.
    await insert(account, contacts);
    if (beside > 0) await insert(await open(), beside);
    await sql(service, 'VACUUM ANALYZE');
  }, 300_000);
  afterAll(() => service.stop());

  it('of ordinary requests are planned once, not at each use', async () => {
    for (let n = 0; n < TIMES; n++) await work(account.api, n);
    expect(await used()).toEqual(
      expect.arrayContaining([
        'record_list_active_after_contacts_0',
        'record_insert',
        'record_views_contacts_0',
        'record_view_contacts_0',
      ]),
    );
    expect(await plannedAnew()).toEqual([]);
  });

  it('of dispatches that count are planned once too', async () => {
    for (let n = 0; n < TIMES; n++) {
      const id = await account.contact({ city: 'Rome', email: `lead-${n}@host.test` });
      for (const name of ['limits', 'load', 'matching']) await account.dispatch(name, id);
    }
    expect(await used()).toEqual(expect.arrayContaining(['assignment_read_newest', 'account_lock']));
    expect(await plannedAnew()).toEqual([]);
  });

  it('of references are planned once too', async () => {
    const { api } = account;
    for (let n = 0; n < TIMES; n++) {
      const external_id = `company-${n}`;
      const { body: company } = await api.post('/companies', { fields: { company_name: 'C', external_id } });
      const { body: created } = await api.post('/contacts', {
        fields: { email: `r${n}@x.test`, company: company.id },
      });
      await api.patch(`/contacts/${created.id}`, { fields: { company: { external_id } } });
      await api.get(`/contacts/${created.id}?expand=company`);
      await api.get('/contacts?expand=company&limit=100');
    }
    expect(await used()).toEqual(expect.arrayContaining(['record_find_ids', 'record_views_companies_0']));
    expect(await plannedAnew()).toEqual([]);
  });
});
