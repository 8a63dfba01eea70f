import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { RECORD_TYPES, UNKNOWN_ID } from '../../support/record-types.js';
import { storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
  for (const { type, minimal } of RECORD_TYPES) await api.post(`/${type}`, { fields: minimal });
});
afterAll(() => service.stop());

const NO_INTEGER = [
  '',
  '-1',
  '1.5',
  '1.0',
  '%205',
  '5%20',
  '+5',
  '%2B5',
  '1e1',
  '0x10',
  '0b11',
  '1_0',
  '1,0',
  'ten',
  'NaN',
  'Infinity',
  'null',
  'true',
  '%D9%A1', // 1 in Arabic-Indic digits
  '10%00',
  '9007199254740993',
  '99999999999999999999999999',
];

describe.each(RECORD_TYPES)('Query parameters of GET /$type', ({ type }) => {
  it.each(['1', '2', '99', '100'])('limit=%s is taken [4.2, 8, contract 3]', async (limit) => {
    const { status, body } = await api.get(`/${type}?limit=${limit}`);
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ limit: Number(limit), offset: 0, count: 1, next: null });
  });

  it.each([...NO_INTEGER, '0', '101', '1000000'])(
    'limit=%s is refused [4.2, 8, contract 3]',
    async (limit) => {
      expectInvalid(await api.get(`/${type}?limit=${limit}`), ['limit', /limit.*1.*100/]);
    },
  );

  it.each(['0', '1', '9007199254740991'])('offset=%s is taken [4.2, 8, contract 3]', async (offset) => {
    const { status, body } = await api.get(`/${type}?offset=${offset}`);
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ limit: 10, offset: Number(offset), count: 1, next: null });
  });

  it.each(NO_INTEGER)('offset=%s is refused [4.2, 8, contract 3]', async (offset) => {
    expectInvalid(await api.get(`/${type}?offset=${offset}`), ['offset', /offset.*0/]);
  });

  it.each(['', '1', '0', 'TRUE', 'False', 'yes', '%20true', 'null', 'true,false'])(
    'archived=%s is refused [4.2, contract 3]',
    async (value) => {
      expectInvalid(await api.get(`/${type}?archived=${value}`), ['archived', /archived.*true.*false/]);
    },
  );

  it.each(['limit=5&limit=5', 'offset=0&offset=1', 'archived=true&archived=true'])(
    'a repeated parameter is refused: %s [4.2, contract 3]',
    async (query) => {
      const name = query.split('=')[0]!;
      expectInvalid(await api.get(`/${type}?${query}`), [name, new RegExp(name)]);
    },
  );

  it.each(['page', 'Limit', 'limit[]', 'limit[a]', 'archived_by', 'fields', 'sort', 'q', '', 'constructor'])(
    'the unknown parameter "%s" is refused and named [contract 1]',
    async (name) => {
      const response = await api.get(`/${type}?${encodeURIComponent(name)}=1&limit=5`);
      expectInvalid(response, [
        name,
        new RegExp(`Unknown query parameter: ${name.replace(/[[\]]/g, '\\$&')}`),
      ]);
    },
  );

  it('a bad or unknown parameter is found behind a thousand others [contract 1]', async () => {
    const many = 'properties=id&'.repeat(1000);
    expectInvalid(await api.get(`/${type}?${many}limit=0`), ['limit', /limit/]);
    expectInvalid(await api.get(`/${type}?${many}page=2`), ['page', /page/]);
    expectInvalid(await api.get(`/${type}?${many}properties=nope`), ['properties', /nope/]);
  });

  it('every bad parameter is listed [contract 1]', async () => {
    const response = await api.get(`/${type}?limit=0&offset=-1&archived=maybe&page=2&sort=id`);
    expectInvalid(
      response,
      ['page', /page/],
      ['sort', /sort/],
      ['limit', /limit/],
      ['offset', /offset/],
      ['archived', /archived/],
    );
  });

  it('the other routes refuse what they do not know, and do nothing [contract 1]', async () => {
    const { body } = await api.get(`/${type}`);
    const [record] = body.data;
    const before = await storedRecords(service);
    const { minimal } = RECORD_TYPES.find((each) => each.type === type)!;
    for (const name of ['limit', 'offset', 'archived', 'debug']) {
      for (const response of [
        await api.get(`/${type}/${record.id}?${name}=1`),
        await api.patch(`/${type}/${record.id}?${name}=1`, { fields: minimal }),
        await api.post(`/${type}?${name}=1`, { fields: minimal }),
        await api.delete(`/${type}/${record.id}?${name}=1`),
        await api.get(`/${type}/${UNKNOWN_ID}?${name}=1`),
      ]) {
        expectInvalid(response, [name, new RegExp(`Unknown query parameter: ${name}`)]);
      }
    }
    expect(await storedRecords(service)).toEqual(before);
  });
});
