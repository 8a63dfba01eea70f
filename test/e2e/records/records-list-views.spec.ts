import type { ApiClient } from '../../support/api-client.js';
import { RECORD_TYPES, USERS } from '../../support/record-types.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

const CUSTOM = Array.from({ length: 12 }, (_, index) => `custom_${index}`);
const NOTES = 'notes';

/** Values that JSON, PostgreSQL and JavaScript may write in different ways. */
const VALUES = [
  '"quoted" \\ and / back',
  'a\tb\nc\r\b\f\u0001\u001f\u007f',
  '\u2028\u2029\ufeff\uffff',
  'é 世 👋 e\u0301',
  '</script><!-- null true {"id":"x"} $1 %s',
];

beforeAll(async () => {
  service = await TestService.shared();
  const fields = RECORD_TYPES.flatMap(({ type }) => [
    ...CUSTOM.map((name) => `{ object_type: ${type}, internal_name: ${name}, type: string }`),
    `{ object_type: ${type}, internal_name: ${NOTES}, type: string, long: true }`,
  ]);
  await service.apply(`accounts: [{ slug: acme, ${USERS}, fields: [${fields.join(', ')}] }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

const PROPERTIES: string[][] = [
  [],
  [CUSTOM[0]!],
  ['record_id', CUSTOM[1]!, 'last_modified_date', 'create_date'],
  ['created_at', 'external_id', 'external_id'],
  CUSTOM.slice(0, 5),
  ['record_id', ...CUSTOM.slice(0, 4)],
  [...CUSTOM, 'create_date'],
];

const asked = (properties: readonly string[]): string =>
  properties.length === 0 ? '' : `&properties=${properties.join(',')}`;

/** Sends a request whose answer is compared as text, so that the order of the keys counts. */
async function textOf(path: string): Promise<string> {
  const response = await fetch(service.url + path, {
    headers: { Authorization: `Bearer ${api.token ?? ''}` },
  });
  expect(response.status).toBe(200);
  return response.text();
}

describe.each(RECORD_TYPES)('A list of $type', ({ type, minimal, owner }) => {
  const ids: string[] = [];
  const create = async (fields: Record<string, string>): Promise<string> => {
    const { status, body } = await api.post(`/${type}`, { fields: { ...minimal, ...fields } });
    expect(status).toBe(201);
    ids.push(body.id);
    return body.id;
  };

  beforeAll(async () => {
    for (const [index, value] of VALUES.entries()) {
      await create({ [CUSTOM[index]!]: value, [CUSTOM[11]!]: value, external_id: `${type}-${index}` });
    }
    await create({ [owner]: 'ada@acme.test' });
    const archived = await create({ [CUSTOM[2]!]: VALUES[0]! });
    expect((await api.delete(`/${type}/${archived}`)).status).toBe(200);
  });

  const listed = async (properties: readonly string[], query: string): Promise<string> =>
    textOf(`/${type}?archived=true&${query}${asked(properties)}`);
  const alone = (properties: readonly string[]): Promise<string[]> =>
    Promise.all(ids.map((id) => textOf(`/${type}/${id}?${asked(properties).slice(1)}`)));

  it.each(PROPERTIES.map((properties) => [properties]))(
    'shows each record as it is shown alone, byte by byte: %j [2.1, 2.2, 2.3]',
    async (properties) => {
      const rows = await alone(properties);
      const pagination = { limit: 100, offset: 0, count: rows.length, next: null };
      expect(await listed(properties, 'limit=100')).toBe(
        `{"data":[${rows.join(',')}],"pagination":${JSON.stringify(pagination)}}`,
      );
      expect(await listed(properties, 'limit=2&offset=1')).toContain(
        `{"data":[${rows.slice(1, 3).join(',')}],`,
      );
    },
  );

  it('shows a record as the answer to a write does, byte by byte [2.1, 2.2, 2.3, 4.2, 4.3]', async () => {
    const archived = ids.at(-1)!;
    const write = async (method: string, path: string, body?: object): Promise<string> => {
      const headers = { Authorization: `Bearer ${api.token ?? ''}`, 'Content-Type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(service.url + path, { method, headers, ...sent });
      expect(response.status).toBeLessThan(300);
      return response.text();
    };
    for (const properties of PROPERTIES) {
      const query = asked(properties).slice(1);
      for (const [index, id] of ids.entries()) {
        if (id === archived) continue;
        const path = `/${type}/${id}?${query}`;
        const written = await write('PATCH', path, { fields: { [CUSTOM[3]!]: VALUES[index] ?? '' } });
        expect(await textOf(path)).toBe(written);
      }
    }
    const path = `/${type}/${await create({ [owner]: 'ada@acme.test' })}`;
    const deleted = await write('DELETE', path);
    expect(await textOf(path)).toBe(deleted);
    expect(deleted).toContain('"archived_by"');
  });

  it('does so where a record is large, too [2.3, contract 3]', async () => {
    await create({ [NOTES]: 'é"\n'.repeat(10_000) });
    for (const properties of [[NOTES, 'record_id'], [CUSTOM[4]!], []]) {
      const rows = await alone(properties);
      expect(await listed(properties, 'limit=100')).toContain(`{"data":[${rows.join(',')}],`);
      expect(await listed(properties, 'limit=3&offset=5')).toContain(
        `{"data":[${rows.slice(5, 8).join(',')}],`,
      );
    }
  });
});
