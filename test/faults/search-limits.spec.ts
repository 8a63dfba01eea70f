// A service of its own, in which a comparison takes a second.
import type { ApiClient } from '../support/api-client.js';
import { expectInvalid } from '../support/error-object.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.start({ poolSize: 3, searchTime: 2_000 });
  api = await service.login('acme');
  for (let index = 0; index < 3; index++) await api.post('/contacts', { fields: { first_name: 'Ada' } });
  // As if there were millions of records: each comparison of a text takes a second.
  await sql(
    service,
    `CREATE OR REPLACE FUNCTION search_text(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
     BEGIN PERFORM pg_sleep(1); RETURN lower(value); END $$`,
  );
});
afterAll(() => service.stop());

const FILTER = { groups: [{ conditions: [{ field: 'first_name', operator: 'eq', value: 'ada' }] }] };
const TOO_LONG = /^The search takes too long: let the filter find fewer records/;

it('A search that takes too long is refused, with the names of what it is made of [contract 1, contract 7]', async () => {
  expectInvalid(await api.post('/contacts/search', { filter: FILTER }), ['filter', TOO_LONG]);
  expectInvalid(
    await api.post('/contacts/search', { filter: FILTER, sort: ['-first_name'], count: true }),
    ['filter', TOO_LONG],
    ['sort', TOO_LONG],
    ['count', TOO_LONG],
  );
});

it('Searches that take too long leave the connections to other requests of the account and to other accounts [contract 7]', async () => {
  const other = await service.login('other');
  const slow = Array.from({ length: 6 }, () => api.post('/contacts/search', { filter: FILTER }));
  const brief = await Promise.all(Array.from({ length: 10 }, () => other.get('/contacts')));
  expect(brief.map(({ status }) => status)).toEqual(brief.map(() => 200));
  const answers = await Promise.all(slow);
  for (const answer of answers) expect([400, 503]).toContain(answer.status);
  expect(answers.map(({ status }) => status)).toContain(400);
  expect((await api.get('/contacts')).body.data).toHaveLength(3);
  expect((await api.post('/contacts/search', {})).body.data).toHaveLength(3);
});

it('A search that takes too long gets the index of the last change, which makes the next one faster [contract 7]', async () => {
  expectInvalid(
    await api.post('/contacts/search', { filter: FILTER, sort: ['-updated_at'] }),
    ['filter', TOO_LONG],
    ['sort', TOO_LONG],
  );
  await waitFor('the index', () =>
    sql(service, 'SELECT 1 FROM record_indexes').then(({ length }) => length === 1),
  );
});
