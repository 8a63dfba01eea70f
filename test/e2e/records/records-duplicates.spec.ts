import type { ApiClient } from '../../support/api-client.js';
import { expectDuplicate } from '../../support/error-object.js';
import { RECORD_TYPES } from '../../support/record-types.js';
import { storedRecords } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** Each unique key of each type, with other spellings of one value. */
const KEYS = RECORD_TYPES.flatMap((recordType) => [
  { ...recordType, key: 'external_id', spellings: ['crm-77', ' crm-77\r\n', '\u200bcrm-77\u00a0'] },
  ...(recordType.key === null
    ? []
    : [
        { ...recordType, key: recordType.key, spellings: ['same.example', 'SAME.Example', ' same.example '] },
      ]),
]);

describe.each(KEYS)('The unique key $key of $type', ({ type, key, minimal, text, spellings }) => {
  const [value] = spellings as [string];
  let record: any;

  const create = (fields: object): Promise<any> =>
    api.post(`/${type}`, { fields: { ...minimal, ...fields } });

  beforeAll(async () => {
    const response = await create({ [key]: value });
    expect(response.status).toBe(201);
    record = response.body;
  });

  it.each(spellings)(
    'refuses a second record with %j, naming the key [2.8, 2.9, 4.3, 7, contract 1]',
    async (spelling) => {
      const before = await storedRecords(service);
      expectDuplicate(await create({ [key]: spelling }), key);
      expect(await storedRecords(service)).toEqual(before);
    },
  );

  it.each(spellings)('refuses a PATCH into %j and changes nothing [2.8, 4.4, 7]', async (spelling) => {
    const { body: other } = await create({ [key]: `${key}-other.example` });
    const before = await storedRecords(service);
    const response = await api.patch(`/${type}/${other.id}`, { fields: { [text]: 'New', [key]: spelling } });
    expectDuplicate(response, key);
    expect(await storedRecords(service)).toEqual(before);
    await api.delete(`/${type}/${other.id}`);
  });

  it.each(spellings)(
    'lets the record keep its own key, sent as %j [2.8, 3, contract 3]',
    async (spelling) => {
      const { status, body } = await api.patch(`/${type}/${record.id}?properties=${key}`, {
        fields: { [key]: spelling },
      });
      expect({ status, key: body[key] }).toEqual({ status: 200, key: value });
    },
  );

  it('is free again when the record that had it is archived [2.8.3, 3]', async () => {
    const reused = `${key}-reused.example`;
    const { body: first } = await create({ [key]: reused });
    const { body: idle } = await create({});
    expectDuplicate(await create({ [key]: reused }), key);
    await api.delete(`/${type}/${first.id}`);
    const second = await create({ [key]: reused });
    expect(second.status).toBe(201);
    await api.delete(`/${type}/${second.body.id}`);
    const third = await api.patch(`/${type}/${idle.id}`, { fields: { [key]: reused } });
    expect(third.status).toBe(200);
    expectDuplicate(await create({ [key]: reused }), key);
    // Both archived records still have the value.
    const archived = await api.get(`/${type}/${first.id}?properties=${key}`);
    expect(archived.body[key]).toBe(reused);
  });

  it('is free again when it is changed or cleared [2.8]', async () => {
    const [before, after] = [`${key}-before.example`, `${key}-after.example`];
    const { body } = await create({ [key]: before });
    await api.patch(`/${type}/${body.id}`, { fields: { [key]: after } });
    expect((await create({ [key]: before })).status).toBe(201);
    expectDuplicate(await create({ [key]: after }), key);
    await api.patch(`/${type}/${body.id}`, { fields: { [key]: null } });
    expect((await create({ [key]: after })).status).toBe(201);
  });

  it('may be empty in any number of records [2.8, contract 3]', async () => {
    for (const empty of [null, '', null, '']) expect((await create({ [key]: empty })).status).toBe(201);
  });

  it('is free for other accounts [1, 2.8, 5.3]', async () => {
    const other = await service.login('another');
    const body = { fields: { ...minimal, [key]: value } };
    expect((await other.post(`/${type}`, body)).status).toBe(201);
    expectDuplicate(await other.post(`/${type}`, body), key);
  });

  it('is free for other object types [1, 2.8]', async () => {
    const own = `${key}-of-${type}.example`;
    expect((await create({ [key]: own })).status).toBe(201);
    for (const other of KEYS.filter((each) => each.type !== type)) {
      const fields = { ...other.minimal, [other.key]: own };
      const { status, body } = await api.post(`/${other.type}`, { fields });
      expect(status).toBe(201);
      await api.delete(`/${other.type}/${body.id}`);
    }
  });
});

describe.each(RECORD_TYPES.filter(({ key }) => key !== null))(
  'Both keys of $type',
  ({ type, key, minimal }) => {
    const create = (own: string, external: string): Promise<any> =>
      api.post(`/${type}`, { fields: { ...minimal, external_id: external, [key!]: own } });

    it('are both listed when both collide, with one record or with two [2.8, contract 1, contract 3]', async () => {
      await create('one.example', 'one');
      await create('two.example', 'two');
      expectDuplicate(await create('one.example', 'one'), key!, 'external_id');
      expectDuplicate(await create('one.example', 'two'), key!, 'external_id');
      expectDuplicate(await create('one.example', 'free'), key!);
      expectDuplicate(await create('free.example', 'two'), 'external_id');
    });

    it('are both listed on PATCH, without the record’s own [2.8, 4.4, contract 1]', async () => {
      await create('three.example', 'three');
      const { body } = await create('mine.example', 'mine');
      const patch = (own: string, external: string): Promise<any> =>
        api.patch(`/${type}/${body.id}`, { fields: { external_id: external, [key!]: own } });
      expectDuplicate(await patch('three.example', 'three'), key!, 'external_id');
      expectDuplicate(await patch('mine.example', 'three'), 'external_id');
      expectDuplicate(await patch('three.example', 'mine'), key!);
      expect((await api.get(`/${type}/${body.id}?properties=${key}`)).body).toEqual({
        ...body,
        [key!]: 'mine.example',
      });
    });
  },
);

describe('A collision', () => {
  it('names no key of an archived record, of another account or of another type [1, 2.8, 2.8.3, 5.3]', async () => {
    const external_id = 'elsewhere';
    const archived = await api.post('/contacts', { fields: { first_name: 'Ada', external_id } });
    await api.delete(`/contacts/${archived.body.id}`);
    await api.post('/companies', { fields: { company_name: 'Acme', external_id } });
    const other = await service.login('collisions');
    await other.post('/contacts', { fields: { first_name: 'Ada', external_id } });
    await api.post('/contacts', { fields: { email: 'here@x.example' } });
    const fields = { email: 'here@x.example', external_id };
    expectDuplicate(await api.post('/contacts', { fields }), 'email');
  });
});

describe('What is no unique key', () => {
  it.each([
    ['deals', 'deal_name'],
    ['tickets', 'ticket_name'],
    ['companies', 'company_name'],
    ['contacts', 'first_name'],
    ['contacts', 'website_url'],
    ['contacts', 'company_name'],
    ['contacts', 'phone'],
  ])('%s: %s may be the same [2.8, 2.8.1]', async (type, name) => {
    const { minimal } = RECORD_TYPES.find((each) => each.type === type)!;
    const fields = { ...minimal, [name]: 'the-same.example' };
    for (let count = 0; count < 3; count++) {
      expect((await api.post(`/${type}`, { fields })).status).toBe(201);
    }
  });

  it('a number and its text are one external id [2.6, 2.8]', async () => {
    const create = (id: unknown): Promise<any> =>
      api.post('/contacts', { fields: { first_name: 'Ada', external_id: id } });
    expect((await create(4711)).body.external_id).toBe('4711');
    expectDuplicate(await create('4711'), 'external_id');
  });
});

describe('Variants of one website', () => {
  const GROUPS = [
    [
      'variants.example',
      'VARIANTS.Example',
      'www.variants.example',
      'WWW.variants.example.',
      'http://variants.example',
      'https://www.variants.example/',
      'ftp://variants.example',
      '//variants.example/path',
      'variants.example:8080',
      'https://user:secret@variants.example/path/?query=1#fragment',
      'variants.example?query',
      'variants.example#fragment',
      '  variants.example  ',
    ],
    ['xn--bcher-kva.example', 'bücher.example', 'https://www.BÜCHER.example', 'bu\u0308cher.example'],
    ['192.0.2.7', 'http://192.0.2.7:80/', '192.0.2.7/path'],
  ];

  it.each(GROUPS)('are the same company as %s [2.6, 2.8.2, contract 3]', async (canonical, ...variants) => {
    for (const first of [canonical, ...variants]) {
      const { status, body } = await api.post('/companies?properties=website_url', {
        fields: { website_url: first },
      });
      expect({ status, website_url: body.website_url }).toEqual({ status: 201, website_url: canonical });
      const second = variants[0]!;
      expectDuplicate(await api.post('/companies', { fields: { website_url: second } }), 'website_url');
      await api.delete(`/companies/${body.id}`);
    }
  });

  it('are other companies on other hosts [2.8.2]', async () => {
    const hosts = [
      'hosts.example',
      'shop.hosts.example',
      'www2.hosts.example',
      'hosts.example.org',
      'www.org',
    ];
    for (const website_url of hosts) {
      expect((await api.post('/companies', { fields: { website_url } })).status).toBe(201);
    }
  });
});
