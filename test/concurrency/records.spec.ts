// Services of its own, at their default limits of time: clients come again where these are met.
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectDuplicate, expectError } from '../support/error-object.js';
import { RECORD_TYPES } from '../support/record-types.js';
import { storedRecords } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

const ACCOUNTS = 5;
const PARALLEL = ACCOUNTS * storm(8, 3);
const ROUNDS = storm(10, 3);
/** A small number, because PostgreSQL needs a second to detect a deadlock. */
const SWAPS = storm(3);

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.start({ obedient: true });
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** Runs the work that many times at once. */
function parallel<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

const having = (responses: readonly ApiResponse[], status: number): ApiResponse[] =>
  responses.filter((response) => response.status === status);

/** Unique keys, each with spellings of one value. */
const KEYS = RECORD_TYPES.flatMap((recordType) => [
  { ...recordType, key: 'external_id', spell: (value: string) => [value] },
  ...(recordType.key === null
    ? []
    : [
        {
          ...recordType,
          key: recordType.key,
          spell: (value: string) =>
            recordType.key === 'email'
              ? [value, value.toUpperCase(), ` ${value}`]
              : [value, `https://www.${value}/x`, value.toUpperCase(), `${value}:8080`],
        },
      ]),
]);

describe.each(KEYS)('Concurrent writes of $key of $type', ({ type, key, minimal, text, spell }) => {
  const body = (fields: object): object => ({ fields: { ...minimal, ...fields } });

  /** Ids of the active records of the type with that stored value of the key. */
  async function holders(value: string): Promise<string[]> {
    const rows = await storedRecords(service);
    return rows
      .filter((row) => row.object_type === type && row.archived_at === null && row.fields[key] === value)
      .map(({ id }) => id);
  }

  it('creates of one key: one 201, and duplicates that name it [2.8, 2.8.4, 7, contract 3]', async () => {
    const value = 'created-at-once.example';
    const spellings = spell(value);
    const responses = await parallel(PARALLEL, (index) =>
      api.post(`/${type}`, body({ [key]: spellings[index % spellings.length] })),
    );
    const created = having(responses, 201);
    expect(created).toHaveLength(1);
    const refused = having(responses, 409);
    expect(refused).toHaveLength(PARALLEL - 1);
    for (const response of refused) expectDuplicate(response, key);
    expect(await holders(value)).toEqual([created[0]!.body.id]);
  });

  it('PATCHes of two records to one key: one wins, the other keeps what it had [2.8, 2.8.4, 4.4, contract 3]', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const value = `patched-${round}.example`;
      const records = await parallel(2, (index) =>
        api.post(`/${type}?properties=${key}`, body({ [key]: `before-${round}-${index}.example` })),
      );
      const responses = await parallel(2, (index) =>
        api.patch(`/${type}/${records[index]!.body.id}`, { fields: { [key]: value, [text]: 'Won' } }),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loser = responses.findIndex(({ status }) => status === 409);
      expectDuplicate(responses[loser]!, key);
      const kept = await api.get(`/${type}/${records[loser]!.body.id}?properties=${key}`);
      expect(kept.body).toEqual(records[loser]!.body);
      expect(await holders(value)).toEqual([records[1 - loser]!.body.id]);
    }
  });

  it('a create and a PATCH to one key: one wins [2.8, 2.8.4, contract 3]', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const value = `either-${round}.example`;
      const { body: record } = await api.post(`/${type}`, body({}));
      const [created, patched] = await Promise.all([
        api.post(`/${type}`, body({ [key]: value })),
        api.patch(`/${type}/${record.id}`, { fields: { [key]: value } }),
      ]);
      const [winner, loser] = created.status === 201 ? [created, patched] : [patched, created];
      expect(winner.status).toBe(created === winner ? 201 : 200);
      expectDuplicate(loser, key);
      expect(await holders(value)).toEqual([winner.body.id]);
    }
  });

  it('archiving and creates of its key: never two active records with it [2.8.3, 3, contract 3]', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const value = `archived-${round}.example`;
      const { body: record } = await api.post(`/${type}`, body({ [key]: value }));
      const [archived, ...responses] = await Promise.all([
        api.delete(`/${type}/${record.id}`),
        ...Array.from({ length: 5 }, () => api.post(`/${type}`, body({ [key]: value }))),
      ]);
      expect(archived.status).toBe(200);
      const created = having(responses, 201);
      const refused = having(responses, 409);
      expect(created.length + refused.length).toBe(5);
      expect(created.length).toBeLessThanOrEqual(1);
      for (const response of refused) expectDuplicate(response, key);
      expect(await holders(value)).toEqual(created.map((response) => response.body.id));
    }
  });

  it('two records that swap their keys: nobody gets a key twice, nor an error but 409 [2.8, 7]', async () => {
    for (let round = 0; round < SWAPS; round++) {
      const values = [`left-${round}.example`, `right-${round}.example`] as const;
      const records = await parallel(2, (index) => api.post(`/${type}`, body({ [key]: values[index] })));
      const responses = await parallel(2, (index) =>
        api.patch(`/${type}/${records[index]!.body.id}`, { fields: { [key]: values[1 - index] } }),
      );
      for (const response of responses) expectDuplicate(response, key);
      expect(await holders(values[0])).toEqual([records[0]!.body.id]);
      expect(await holders(values[1])).toEqual([records[1]!.body.id]);
    }
  });
});

describe('Concurrent creates with both keys', () => {
  it('of which each takes one of another: only one record per key [2.8, 2.8.4]', async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `both-${index}`);
    const responses = await parallel(PARALLEL, (index) =>
      api.post('/contacts', {
        fields: { email: `${keys[index % 8]!}@x.example`, external_id: keys[(index * 3 + 1) % 8] },
      }),
    );
    for (const response of having(responses, 409)) {
      expectDuplicate(response, ...response.body.errors.map(({ field }: { field: string }) => field));
    }
    expect(having(responses, 201).length + having(responses, 409).length).toBe(PARALLEL);
    const emails = having(responses, 201).map(({ body }) => body.email);
    const externals = having(responses, 201).map(({ body }) => body.external_id);
    expect(new Set(emails).size).toBe(emails.length);
    expect(new Set(externals).size).toBe(externals.length);
    expect(emails.length).toBeGreaterThan(0);
  });

  it('in different accounts: all succeed [1, 2.8]', async () => {
    const clients = await parallel(ACCOUNTS, (index) => service.login(`tenant-${index}`));
    const responses = await parallel(PARALLEL, (index) =>
      clients[index % ACCOUNTS]!.post('/contacts', {
        fields: { email: `per-tenant-${Math.floor(index / ACCOUNTS)}@x.example` },
      }),
    );
    expect(having(responses, 201)).toHaveLength(PARALLEL);
    for (const client of clients)
      expect((await client.get('/contacts')).body.pagination.count).toBe(PARALLEL / ACCOUNTS);
  });

  it('archived records refuse all PATCHes that come after [3, contract 3]', async () => {
    const { body } = await api.post('/contacts', { fields: { first_name: 'Ada' } });
    await api.delete(`/contacts/${body.id}`);
    const responses = await parallel(PARALLEL, () => api.patch(`/contacts/${body.id}`, { fields: {} }));
    for (const response of responses)
      expectError(response, 409, { message: expect.any(String), code: 'archived' });
  });
});
