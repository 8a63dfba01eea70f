import { indexesDone } from '../support/database/index-keys.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

const file = (slug: string, indexed: string): string =>
  `accounts: [{ slug: ${slug}, fields: [{ object_type: contacts, internal_name: essay, type: string${indexed} }] }]`;

let service: TestService;

beforeAll(async () => {
  service = await TestService.start({
    limits: { lock: 500, statement: 1_000 },
  });
  // As if the texts had thousands of characters: each takes a hundredth of a second, and one has no form.
  await sql(
    service,
    `CREATE OR REPLACE FUNCTION search_text(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
     BEGIN
       IF value = 'broken' THEN RAISE EXCEPTION 'no form'; END IF;
       PERFORM pg_sleep(0.01);
       RETURN lower(value);
     END $$`,
  );
  for (const [slug, records] of [['broken', 1], ['large', 300], ['small', 3]] as const) {
    await service.apply(file(slug, ''));
    const { accountId } = await service.account(slug);
    await sql(
      service,
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
       SELECT $1, 'contacts', uuid_v7(now()), jsonb_build_object('essay', $3::text), now(), now()
       FROM generate_series(1, $2::int)`,
      [accountId, records, slug],
    );
  } // prettier-ignore
});
afterAll(() => service.stop());

it('An index whose parts take longer than statements may is built in smaller ones, and one that cannot be built is told and keeps no other waiting [contract 7]', async () => {
  for (const slug of ['broken', 'large', 'small']) await service.apply(file(slug, ', indexed: true'));
  const { accountId } = await service.account('broken');
  await waitFor('the indexes', async () => {
    const [row] = await sql<{ ready: number }>(
      service,
      'SELECT count(*)::int AS ready FROM record_indexes WHERE is_ready',
    );
    return row!.ready === 2;
  });
  const told = await waitFor('the failure in the log', () =>
    service.logs.find(({ msg }) => String(msg).includes('could not be built')),
  );
  expect(told['msg']).toBe(`The index of contacts.essay of account ${accountId} could not be built: no form`);
  await service.apply(file('broken', ', indexed: false'));
  expect(await indexesDone(service)).toBe(2);
  const [keys] = await sql<{ count: number }>(
    service,
    'SELECT count(*)::int AS count FROM record_index_keys',
  );
  expect(keys!.count).toBe(303);
}, 480_000);
