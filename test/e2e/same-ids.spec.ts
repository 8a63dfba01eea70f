import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

// Primary keys lead with the account, so two accounts may have rows of the same ids: after a restore of one
// account
// beside another, say. Whatever forgets its tenant in one statement shows here.

const TABLES = [
  'field_definitions',
  'users',
  'teams',
  'capacities',
  'routers',
  'router_versions',
  'records',
  'assignments',
  'rotations',
];

let service: TestService;
let account: RoutingAccount;
/** Id of the account that is a copy of it. */
let twin: string;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/** The columns of a table that are not generated. */
async function storedColumns(table: string): Promise<string> {
  const [row] = await sql<{ names: string }>(
    service,
    `SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  return row!.names;
}

/** Copies the account, every row with its id; the copy's contacts are all active, in Twin, and Bob's. */
async function copy(): Promise<void> {
  const [row] = await sql<{ id: string }>(
    service,
    `INSERT INTO accounts (id, slug, name)
     SELECT uuid_v7(now()), slug || '-twin', name FROM accounts WHERE slug = $1 RETURNING id`,
    [account.slug],
  );
  twin = row!.id;
  for (const table of TABLES) {
    const columns = await storedColumns(table);
    await sql(
      service,
      `INSERT INTO ${table} (${columns}) SELECT ${columns}
       FROM (SELECT (jsonb_populate_record(t, jsonb_build_object('account_id', $1::uuid))).*
         FROM ${table} t JOIN accounts a ON a.id = t.account_id WHERE a.slug = $2) AS copy`,
      [twin, account.slug],
    );
  }
  await sql(
    service,
    `UPDATE records SET archived_at = NULL, archived_by = NULL,
       fields = fields || jsonb_build_object('city', 'Twin', 'contact_owner', $2::text)
     WHERE account_id = $1 AND object_type = 'contacts'`,
    [twin, mail('bob')],
  );
}

/** Every row of the copy. */
async function twinRows(): Promise<unknown[]> {
  const tables = TABLES.map((table) =>
    sql(service, `SELECT * FROM ${table} WHERE account_id = $1 ORDER BY 1, 2, 3`, [twin]),
  );
  return Promise.all([...tables, sql(service, 'SELECT * FROM accounts WHERE id = $1', [twin])]);
}

/** How many turns the account's own rotation of R has given. */
async function turnsGiven(): Promise<number | undefined> {
  const [row] = await sql<{ seq: number }>(
    service,
    `SELECT (r.state ->> 'seq')::int AS seq FROM rotations r JOIN accounts a ON a.id = r.account_id
     WHERE a.slug = $1 AND r.router_id = $2 AND r.key = ''`,
    [account.slug, await account.routerId('R')],
  );
  return row?.seq;
}

const ROUTERS = [
  router('R', { overwrite: true, reimburse_within_minutes: 10 }, { users: people(['ada', 'bob']) }),
  router('Balanced', { distribution_model: 'load balanced' }, { users: people(['ada', 'bob']) }),
  router('Matched', { account_matching: true }, { users: people(['ada']) }),
];

beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob'], { limits: { day: 4 } }),
    teams: [{ name: 'Sales', members: [mail('ada')] }],
    capacities: [
      {
        name: 'Leads',
        object_type: 'contacts',
        field: 'lifecycle_stage',
        values: ['lead'],
        users: people(['ada'], { max: 2 }),
      },
    ],
    routers: ROUTERS,
  });
});

describe('Of two accounts with the same ids, one', () => {
  const city = async (id: string): Promise<unknown> =>
    (await account.api.get(`/contacts/${id}?properties=city`)).body.city;

  it('reads, writes and archives its own records [1, 2.8, 5.3]', async () => {
    const [id = '', other = '', gone = ''] = await account.contacts(3);
    await account.api.delete(`/contacts/${gone}`);
    await copy();
    const before = await twinRows();
    expect(await city(id)).toBeNull();
    for (const [query, count] of [
      ['properties=city', 2],
      ['properties=city&archived=true', 3],
    ] as const) {
      const { data, pagination } = (await account.api.get(`/contacts?${query}`)).body;
      expect(pagination.count).toBe(count);
      expect(data.map((row: { city: unknown }) => row.city)).toEqual(Array<null>(count).fill(null));
    }
    const patched = await account.api.patch(`/contacts/${id}?properties=city`, {
      fields: { city: 'Paris', email: 'a@x.test', external_id: '7' },
    });
    expect(patched.body.city).toBe('Paris');
    expect((await account.api.patch(`/contacts/${gone}`, { fields: { city: 'Paris' } })).status).toBe(409);
    expect((await account.api.delete(`/contacts/${gone}`)).status).toBe(404);
    expect((await account.api.delete(`/contacts/${other}`)).body.archived).not.toBe(false);
    expect(await twinRows()).toEqual(before);
  });

  it('shows its own records in place of references, each once [1, 5.3, contract 7]', async () => {
    const ids: string[] = [];
    for (const company_name of ['A', 'B']) {
      const company = await account.create('companies', { company_name });
      ids.push(await account.contact({ company }));
    }
    await copy();
    await sql(
      service,
      `UPDATE records SET fields = fields || '{"company_name": "Twin"}'
       WHERE account_id = $1 AND object_type = 'companies'`,
      [twin],
    );
    const shown = 'properties=company&expand=company';
    const name = ({ company }: { company: { company_name: unknown } }): unknown => company.company_name;
    for (const [index, id] of ids.entries()) {
      expect(name((await account.api.get(`/contacts/${id}?${shown}`)).body)).toBe('AB'[index]);
    }
    // The views come in the order of the ids that are asked for: one too many would move those behind it.
    const { data } = (await account.api.get(`/contacts?${shown}`)).body;
    expect(data.map(name).sort()).toEqual(['A', 'B']);
  });

  it('dispatches its own records, with its own rotation and log [1, 4.6, 5.3, contract 4]', async () => {
    const ids = await account.contacts(2);
    const company = await account.create('companies', {
      website_url: 'acme.example',
      company_owner: mail('bob'),
    });
    await account.contact({ contact_owner: mail('bob') });
    await account.assign('R', ids[0]);
    await copy();
    // The copy's rotation, log and companies would decide otherwise.
    const router_id = await account.routerId('R');
    await sql(service, `UPDATE rotations SET state = '{"seq": 9, "rotations": {}}' WHERE account_id = $1`, [twin]);
    await sql(
      service,
      `UPDATE records SET fields = fields || $2::jsonb WHERE account_id = $1 AND object_type = 'companies'`,
      [twin, JSON.stringify({ company_owner: mail('ada') })],
    );
    const before = await twinRows();
    const { body } = await account.dispatch('R', ids[1]!);
    expect(body.user).toBe(mail('bob'));
    expect(await turnsGiven()).toBe(2);
    const log = (await account.api.get(`/assignments?router_id=${router_id}`)).body;
    expect([log.pagination.count, log.data.length]).toEqual([2, 2]);
    expect((await account.api.get(`/assignments/${body.assignment_id}`)).body.previous_user).toBeNull();
    expect(await account.assign('Balanced', await account.contact())).toBe('ada');
    expect(await account.assign('Matched', await account.contact({ email: 'x@acme.example' }))).toBe('bob');
    const simulated = await account.simulate('R', { object_id: ids[0]! });
    expect(simulated.body.trace.find(({ step }: { step: string }) => step === 'overwrite').owner).toBe(mail('ada'));
    expect((await account.api.get(`/companies/${company}`)).body.company_owner).toBe(mail('bob'));
    expect(await twinRows()).toEqual(before);
  }); // prettier-ignore

  it('counts its own assignments and records [1, contract 4]', async () => {
    await account.assign('R', await account.contact({ lifecycle_stage: 'lead' }));
    await account.assign('R', await account.contact({ lifecycle_stage: 'customer' }));
    await copy();
    const lead = (): Promise<string> => account.contact({ lifecycle_stage: 'lead' });
    // Two leads and four assignments a day each: the copy's would fill Ada after the first.
    expect(await account.assign('R', await lead())).toBe('ada');
    const rest = await account.turns('R', 4);
    expect(rest.split(' ').sort()).toEqual(['ada', 'ada', 'bob', 'bob']);
  });

  it('returns its own turns [1, contract 4]', async () => {
    const id = await account.contact();
    await account.assign('R', id);
    await copy();
    const before = await twinRows();
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    expect(await account.turns('R', 2)).toBe('ada bob');
    expect(await twinRows()).toEqual(before);
  });

  it('changes its own configuration [1, contract 5]', async () => {
    await copy();
    const before = await twinRows();
    await account.apply({
      users: [{ email: mail('ada'), name: 'Ada', available: false }],
      teams: [{ name: 'Sales', members: [mail('bob')] }],
      fields: [{ object_type: 'contacts', internal_name: 'lead_source', label: 'Source' }],
      capacities: [{ name: 'Leads', object_type: 'contacts', field: 'lifecycle_stage', values: ['customer'] }],
      routers: [{ name: 'R', published: false }],
    });
    expect((await account.api.get('/routers')).body.data[0].is_published).toBe(false);
    expect(await twinRows()).toEqual(before);
  }); // prettier-ignore
});
