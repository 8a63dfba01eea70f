// Services of its own, at their default limits of time: clients come again where these are met.
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectDuplicateOf } from '../support/error-object.js';
import { storedRecords } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

const CLIENTS = 8;
const ROUNDS = storm(25, 8);

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ obedient: true });
});
afterAll(() => service.stop());

const together = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** What a client saw: the ids that it created, and those that refusals named. */
interface Seen {
  readonly created: Set<string>;
  readonly named: Set<string>;
}

describe('A duplicate that was found by the index', () => {
  it('names the record that won, to every client that lost [2.8.4, contract 1, contract 3]', async () => {
    const api = await service.login('winner');
    for (let round = 0; round < storm(5, 2); round++) {
      const fields = { email: `won-${round}@x.example` };
      const answers = await together(CLIENTS * 2, () => api.post('/contacts', { fields }));
      const [won, ...more] = answers.filter(({ status }) => status === 201);
      expect(more).toEqual([]);
      for (const answer of answers.filter((each) => each !== won)) {
        expectDuplicateOf(answer, { email: won!.body.id });
      }
    }
  });

  it('names one record for each of two keys, on POST and PATCH [2.8, contract 1]', async () => {
    const api = await service.login('two-keys');
    const create = (fields: object): Promise<ApiResponse> => api.post('/companies', { fields });
    const web = (await create({ website_url: 'one.example' })).body.id;
    const crm = (await create({ company_name: 'Two', external_id: 'two' })).body.id;
    const own = (await create({ company_name: 'Three' })).body.id;
    const both = { website_url: 'https://www.one.example/', external_id: 'two' };
    const ids = { website_url: web, external_id: crm };
    for (const answer of await together(CLIENTS, () => create(both))) expectDuplicateOf(answer, ids);
    expectDuplicateOf(await api.patch(`/companies/${own}`, { fields: both }), ids);
    expectDuplicateOf(await api.patch(`/companies/${web}`, { fields: both }), { external_id: crm });
  });

  it('names only records of the account that had the key, while they come and go [1, 2.8.3, contract 1]', async () => {
    const fields = { email: 'comes-and-goes@x.example' };

    /** Creates the record and archives it, over and over, beside others that do the same. */
    async function comeAndGo(api: ApiClient, { created, named }: Seen): Promise<void> {
      for (let round = 0; round < ROUNDS; round++) {
        const answer = await api.post('/contacts', { fields });
        if (answer.status === 201) {
          created.add(answer.body.id);
          await api.delete(`/contacts/${answer.body.id}`);
        } else {
          expectDuplicateOf(answer, { email: expect.any(String) });
          named.add(answer.body.existing_id);
        }
      }
    }
    const accounts = await together(2, async (index) => ({
      api: await service.login(`account-${index}`),
      seen: { created: new Set<string>(), named: new Set<string>() },
    }));
    await together(CLIENTS, (index) => {
      const { api, seen } = accounts[index % 2]!;
      return comeAndGo(api, seen);
    });
    for (const { seen } of accounts) {
      expect(seen.named.size).toBeGreaterThan(0);
      expect([...seen.named].filter((id) => !seen.created.has(id))).toEqual([]);
    }
    const active = (await storedRecords(service)).filter(
      (row) => row.archived_at === null && row.fields['email'] === fields.email,
    );
    expect(active).toEqual([]);
  });
});
