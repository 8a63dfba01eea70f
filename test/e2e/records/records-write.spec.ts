import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid, type Failure } from '../../support/error-object.js';
import { RECORD_TYPES, USERS } from '../../support/record-types.js';
import { storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const CUSTOM = `fields: [
  { object_type: contacts, internal_name: lead_score, type: number },
  { object_type: contacts, internal_name: vip, type: bool },
  { object_type: contacts, internal_name: renewal, type: datetime }]`;

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`accounts: [{ slug: acme, ${USERS}, ${CUSTOM} }]`);
  api = await service.login('acme');
});
afterAll(() => service.stop());

describe.each(RECORD_TYPES)('Writes of $type', (recordType) => {
  const { type, minimal, sent, stored, text } = recordType;
  const every = Object.keys(stored).join(',');
  let id: string;

  /** Values of every standard field but the unique keys, which other records have. */
  function values(from: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const { email: _, website_url: __, external_id: ___, ...rest } = from;
    return rest;
  }

  beforeEach(async () => {
    ({
      body: { id },
    } = await api.post(`/${type}`, { fields: { ...minimal, ...values(sent) } }));
  });

  async function expectRefused(fields: unknown, ...failures: Failure[]): Promise<void> {
    const before = await storedRecords(service);
    expectInvalid(await api.post(`/${type}`, { fields }), ...failures);
    expectInvalid(await api.patch(`/${type}/${id}`, { fields }), ...failures);
    expect(await storedRecords(service)).toEqual(before);
  }

  it.each([null, ''])('%j clears each field, and only that one [4.4, contract 3]', async (empty) => {
    for (const name of Object.keys(values(stored))) {
      const { body: before } = await api.get(`/${type}/${id}?properties=${every}`);
      const path = `/${type}/${id}?properties=${every}`;
      const { status, body } = await api.patch(path, { fields: { [name]: empty } });
      expect({ status, body }).toEqual({
        status: 200,
        body: { ...before, [name]: null, updated_at: expect.any(String) },
      });
    }
  });

  it('a cleared field can be set again, a field that is empty cleared [4.4, contract 3]', async () => {
    const path = `/${type}/${id}?properties=${text}`;
    for (const [value, expected] of [
      [null, null],
      [null, null],
      ['Back', 'Back'],
      ['', null],
    ]) {
      expect((await api.patch(path, { fields: { [text]: value } })).body[text]).toBe(expected);
    }
  });

  it('null and empty strings on create leave the field empty [2.4, contract 3]', async () => {
    const names = Object.keys(stored).filter((name) => !(name in minimal));
    const nulls = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? null : '']));
    const { status, body } = await api.post(`/${type}?properties=${every}`, {
      fields: { ...minimal, ...nulls },
    });
    expect(status).toBe(201);
    for (const name of names) expect(body[name]).toBeNull();
  });

  it('an unknown field is refused and nothing written [2.4, 2.6, 7, 8]', async () => {
    for (const name of [
      'nickname',
      text.toUpperCase(),
      `${text} `,
      ` ${text}`,
      '',
      'fields',
      '*',
      'a.b',
      'a[0]',
    ]) {
      const pattern = new RegExp(`Unknown field: ${name.replace(/[[\]*.]/g, '\\$&')}`);
      await expectRefused({ ...minimal, [name]: 'x' }, [name, pattern]);
    }
  });

  it('a field of another type is unknown, even to clear it [2.4, 7]', async () => {
    const own = Object.keys(stored);
    const foreign = new Set(
      RECORD_TYPES.flatMap((each) => Object.keys(each.stored)).filter((name) => !own.includes(name)),
    );
    expect(foreign.size).toBeGreaterThan(5);
    for (const name of foreign) {
      await expectRefused({ ...minimal, [name]: null }, [name, new RegExp(`Unknown field: ${name}`)]);
    }
  });

  it('one failing field rejects the whole write, wherever it stands [2.6, 7, 8]', async () => {
    const good = values(sent);
    await expectRefused({ no_such: 1, ...good }, ['no_such', /no_such/]);
    await expectRefused({ ...good, no_such: 1 }, ['no_such', /no_such/]);
    await expectRefused({ ...good, [text]: {} }, [text, new RegExp(text)]);
    await expectRefused({ ...good, create_date: null }, ['create_date', 'Field cannot be set: create_date']);
  });

  it('every failing field is listed, in the order of the body [2.6, 7, contract 1]', async () => {
    const { owner } = recordType;
    await expectRefused(
      { [owner]: 'nobody@acme.test', no_such: 1, ...minimal, [text]: ['x'], record_id: 'x', nor_this: null },
      ...[
        [owner, new RegExp(owner)] as const,
        ['no_such', /no_such/] as const,
        // A repeated field keeps the position of its first occurrence.
        [text, new RegExp(text)] as const,
        ['record_id', 'Field cannot be set: record_id'] as const,
        ['nor_this', /nor_this/] as const,
      ],
    );
  });

  it.each([[null], [[]], [['x']], ['x'], [5], [true]])(
    'fields must be an object, not %j [2.4, 7]',
    async (fields) => {
      await expectRefused(fields, ['fields', /fields/]);
    },
  );

  it('fields is required [2.4, 4.3, 4.4, 7]', async () => {
    const before = await storedRecords(service);
    for (const body of [{}, []]) {
      const failure: Failure = Array.isArray(body) ? [undefined, /object/] : ['fields', /fields/];
      expectInvalid(await api.post(`/${type}`, body), failure);
      expectInvalid(await api.patch(`/${type}/${id}`, body), failure);
    }
    expect(await storedRecords(service)).toEqual(before);
  });

  it('unknown keys beside fields are refused and all named [contract 1]', async () => {
    const before = await storedRecords(service);
    const body = { field: {}, fields: minimal, id: 'x', properties: text };
    const failures: Failure[] = [
      ['field', /Unknown key: field/],
      ['id', /Unknown key: id/],
      ['properties', /Unknown key: properties/],
    ];
    expectInvalid(await api.post(`/${type}`, body), ...failures);
    expectInvalid(await api.patch(`/${type}/${id}`, body), ...failures);
    // A response is not accepted as the body of a request.
    const names = Object.keys(minimal);
    const flat = await api.post(`/${type}`, minimal);
    expectInvalid(flat, ...names.map((name) => [name, new RegExp(name)] as const), ['fields', /fields/]);
    expect(await storedRecords(service)).toEqual(before);
  });
});

describe('A write with custom fields', () => {
  it('fails as a whole and lists each of them [2.4, 2.6, contract 1]', async () => {
    const before = await storedRecords(service);
    const fields = {
      first_name: 'Ada',
      lead_score: 'many',
      vip: 'yes',
      renewal: 'soon',
      email: 'ada@x.test',
    };
    expectInvalid(
      await api.post('/contacts', { fields }),
      ['lead_score', /lead_score/],
      ['vip', /vip/],
      ['renewal', /renewal/],
    );
    expect(await storedRecords(service)).toEqual(before);
  });

  it('lists what is missing beside what is wrong [2.6, 2.7, contract 1]', async () => {
    const fields = { deal_stage: 'no such stage', amount: 'much' };
    expectInvalid(
      await api.post('/deals', { fields }),
      ['deal_stage', /deal_stage/],
      ['amount', /amount/],
      ['deal_name', /deal_name/],
      ['pipeline', /pipeline/],
    );
  });
});
