// A service of its own: plans depend on the records of all accounts.
import { Client } from 'pg';
import { BUILTIN_OPERATORS, type Trigger } from '../../src/engine/index.js';
import { ConfigurationCache } from '../../src/configuration/index.js';
import { FieldTypeRegistry } from '../../src/fields/index.js';
import { CompiledSearch } from '../../src/records/search/compiled-search.js';
import { fieldLookup } from '../../src/routers/index.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await TestService.start();
  await service.apply('accounts: [{ slug: acme, users: [{ email: ada@acme.test }] }]');
  client = new Client({ connectionString: service.database.url });
  await client.connect();
  const { accountId } = await service.account('acme');
  await client.query(
    `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
     SELECT $1, 'contacts', uuid_v7(at), jsonb_build_object('email', 'c' || i || '@x.test', 'external_id', 'Crm-' || i,
       'contact_owner', CASE WHEN i % 100 = 0 THEN 'ada@acme.test' ELSE 'u' || i % 50 END, 'first_name', 'Name ' || i), at, at
     FROM (SELECT i, '2026-01-01Z'::timestamptz + make_interval(mins => i) AS at FROM generate_series(1, 20000) AS i) AS s`,
    [accountId],
  );
  await client.query('VACUUM (ANALYZE) records');
});
afterAll(async () => {
  await client.end();
  await service.stop();
});

/** The plan of the first page of a search. */
async function plan(groups: Trigger['groups'], sort: readonly string[] = []): Promise<string> {
  const account = await service.account('acme');
  return service.app
    .get(ConfigurationCache, { strict: false })
    .use(account, async ({ catalog, directory }) => {
      const types = service.app.get(FieldTypeRegistry, { strict: false });
      const fields = fieldLookup(catalog, types, directory);
      const names = sort.map((name) => ({ name: name.replace('-', ''), descending: name.startsWith('-') }));
      const search = { objectType: 'contacts', archived: false, filter: { groups }, sort: names } as const;
      const parts = { fields, types, directory, operators: BUILTIN_OPERATORS };
      const compiled = new CompiledSearch(account, search, parts);
      const [source] = compiled.path.sources(undefined, undefined);
      const { statement, values } = compiled.page(source!, undefined, 11);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement.text}`, [...values]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
}
const one = (field: string, operator: string, value: unknown): Trigger['groups'] => [
  { conditions: [{ field, operator, value }] },
];

it.each([
  ['a unique key', one('email', 'eq', 'C5@x.test'), [/records_unique_key_key/, /records_odd_unique_key_idx/]],
  ['unique keys', one('email', 'in', ['c5@x.test', 'c6@x.test']), [/records_unique_key_key/]],
  [
    'an external id',
    one('external_id', 'eq', 'crm-5'),
    [/records_external_id_key/, /records_odd_external_id_idx/],
  ],
  ['the owner', one('contact_owner', 'eq', 'ada@acme.test'), [/records_owner_id_idx/]],
  ['the time of creation', one('create_date', 'lt', '2026-01-01T02:00:00Z'), [/records_(pkey|active_idx)/]],
  [
    'one of two keys',
    [...one('email', 'eq', 'c5@x.test'), ...one('external_id', 'eq', 'crm-7')],
    [/records_unique_key_key/, /records_external_id_key/],
  ],
] as [string, Trigger['groups'], RegExp[]][])(
  'A search by %s uses an index [contract 7]',
  async (_, groups, indexes) => {
    const found = await plan(groups);
    for (const index of indexes) expect(found).toMatch(index);
    expect(found).not.toMatch(/Seq Scan on records/);
  },
);

it('A search in the order of creation reads no more than its page [contract 7]', async () => {
  for (const sort of [[], ['create_date'], ['-create_date']]) {
    const found = await plan([], sort);
    expect(found).toMatch(/Limit[^\n]*\n\s*->\s+Index (Only )?Scan[^\n]*records_(active_idx|pkey)/);
  }
});

it('A search by an owner reads no more than its page [contract 7]', async () => {
  for (const sort of [[], ['-create_date']]) {
    const found = await plan(one('contact_owner', 'eq', 'ada@acme.test'), sort);
    expect(found).toMatch(/Index (Only )?Scan[^\n]*records_owner_id_idx/);
    expect(found).not.toMatch(/->\s+Sort |Seq Scan on records/);
  }
});
