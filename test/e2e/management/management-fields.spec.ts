import type { ApiClient } from '../../support/api-client.js';
import { expectBadField, expectError } from '../../support/error-object.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let admin: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`
    accounts:
      - slug: acme
        fields:
          - { object_type: contacts, internal_name: region, type: enumeration, options: [{ internal_name: emea }, { internal_name: apac }, { internal_name: amer }] }
          - { object_type: contacts, internal_name: score, type: number }
          - { object_type: contacts, internal_name: engineer, type: user }
        capacities:
          - { name: Open, object_type: contacts, field: region, values: [apac] }
        routers:
          - name: Inbound
            object_type: contacts
            settings:
              owner_field: engineer
              rules:
                - name: VIP
                  trigger: { groups: [{ conditions: [{ field: region, operator: in, value: [amer] }] }] }
                  refuse: true`);
  admin = await service.login('acme', ['manage', 'records:read', 'records:write']);
  stranger = await service.login('beta', ['manage', 'records:read']);
});
afterAll(() => service.stop());

const all = async (query = ''): Promise<any[]> =>
  (await admin.get(`/fields?limit=100&object_type=contacts${query}`)).body.data;
const idOf = async (name: string): Promise<string> =>
  (await all()).find(({ internal_name }) => internal_name === name).id;

const TIER = {
  object_type: 'contacts',
  internal_name: 'tier',
  label: 'Tier',
  type: 'enumeration',
  options: [
    { internal_name: 'gold', label: 'Gold' },
    { internal_name: 'iron', label: 'Iron' },
  ],
};

describe('the fields of an account', () => {
  it('are listed with types and options, standard ones too [contract 6]', async () => {
    const contacts = await all();
    expect(contacts.every(({ object_type }) => object_type === 'contacts')).toBe(true);
    expect(contacts.find(({ internal_name }) => internal_name === 'email')).toMatchObject({
      type: 'string',
      standard: true,
      long: false,
      options: [],
      archived: false,
    });
    expect(contacts.find(({ internal_name }) => internal_name === 'region')).toMatchObject({
      type: 'enumeration',
      standard: false,
      options: ['emea', 'apac', 'amer'].map((name) => ({ internal_name: name, label: name })),
    });
    const { body: every } = await admin.get('/fields?limit=1');
    expect(every.pagination.count).toBeGreaterThan(contacts.length);
    const bad = await admin.get('/fields?object_type=leads');
    expectBadField(bad, 'object_type');
  });

  it.each(['records:read', 'manage'] as const)(
    'are read with the scope %s alone [contract 6]',
    async (scope) => {
      const reader = await service.login('acme', [scope]);
      expect((await reader.get('/fields?object_type=deals')).status).toBe(200);
      expect((await reader.get(`/fields/${await idOf('score')}`)).body.internal_name).toBe('score');
    },
  );
});

describe('a custom field', () => {
  it('is created, changed, and used at once [contract 6]', async () => {
    const created = await admin.post('/fields', TIER);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      ...TIER,
      id: expect.any(String),
      standard: false,
      long: false,
      indexed: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      archived: false,
    });
    const path = `/fields/${created.body.id}`;
    expect(created.headers.get('location')).toBe(path);
    expect((await admin.get(path)).body).toEqual(created.body);
    const record = await admin.post('/contacts', { fields: { first_name: 'Max', tier: 'gold' } });
    expect(record.status).toBe(201);
    const options = [{ internal_name: 'gold' }, { internal_name: 'wood', label: 'Wood' }];
    const changed = await admin.patch(path, { label: 'Level', options });
    expect(changed.body).toMatchObject({
      label: 'Level',
      options: [TIER.options[0], { internal_name: 'wood', label: 'Wood' }],
    });
    const refused = await admin.post('/contacts', { fields: { first_name: 'Max', tier: 'iron' } });
    expectBadField(refused, 'tier');
  });

  it('is refused with everything that is wrong at once [contract 1]', async () => {
    const { status, body } = await admin.post('/fields', { object_type: 'x', label: '', options: 3 });
    expect([status, body.errors.map(({ field }: any) => field).sort()]).toEqual([
      400,
      ['internal_name', 'label', 'object_type', 'options'],
    ]);
    const id = await idOf('score');
    const changed = await admin.patch(`/fields/${id}`, {
      object_type: 'deals',
      internal_name: 'x',
      type: 'string',
    });
    expect([changed.status, changed.body.errors.map(({ field }: any) => field)]).toEqual([
      400,
      ['object_type', 'internal_name', 'type'],
    ]);
    const both = await admin.post('/fields', { ...TIER, internal_name: 'Tier 2', type: 'numeric' });
    expect([both.status, both.body.errors.map(({ field }: any) => field)]).toEqual([
      400,
      ['type', 'internal_name'],
    ]);
    const reserved = await admin.post('/fields', { ...TIER, internal_name: 'record_id' });
    expectBadField(reserved, 'internal_name');
    const twice = await admin.post('/fields', { ...TIER, internal_name: 'region' });
    expect(twice.status).toBe(409);
    expect(twice.body).toMatchObject({ field: 'internal_name', existing_id: await idOf('region') });
  });

  it('cannot have the name of what a user field of its type keeps, which others may have [2.5, contract 6]', async () => {
    const date = { internal_name: 'engineer_assigned_date', type: 'datetime' };
    expectBadField(await admin.post('/fields', { ...date, object_type: 'contacts' }), 'internal_name');
    expect((await admin.post('/fields', { ...date, object_type: 'deals' })).status).toBe(201);
  });

  it('of another account, or none, is missing [contract 1, 5.3]', async () => {
    const id = await idOf('score');
    for (const answer of [
      await stranger.get(`/fields/${id}`),
      await stranger.patch(`/fields/${id}`, { label: 'X' }),
      await stranger.delete(`/fields/${id}`),
      await admin.get('/fields/none'),
    ])
      expectError(answer, 404, { message: 'Field not found' });
  });
});

describe('an option that is removed', () => {
  const remaining = (...names: string[]) => ({ options: names.map((internal_name) => ({ internal_name })) });

  it('stays while records, routers or capacities name it, and the answer says which [contract 6]', async () => {
    const id = await idOf('region');
    for (const region of ['emea', 'emea', 'amer']) {
      await admin.post('/contacts', { fields: { first_name: 'Max', region } });
    }
    const { body: archived } = await admin.post('/contacts', {
      fields: { first_name: 'Eve', region: 'emea' },
    });
    await admin.delete(`/contacts/${archived.id}`);
    const { status, body } = await admin.patch(`/fields/${id}`, remaining('other'));
    expect([status, body.code]).toEqual([409, 'conflict']);
    expect(body.errors.map(({ message }: any) => message)).toEqual([
      'emea by 3 records',
      'apac by the capacity Open',
      'amer by 1 record',
      'amer by the router Inbound (rule VIP)',
    ]);
    expect((await admin.get(`/fields/${id}`)).body.options).toHaveLength(3);
  });

  it('is not one that every account has, nor the last one [contract 3, contract 6]', async () => {
    const source = await admin.patch(`/fields/${await idOf('lead_source')}`, remaining('mine'));
    expectBadField(source, 'options');
    const { body: field } = await admin.post('/fields', { ...TIER, internal_name: 'last' });
    expectBadField(await admin.patch(`/fields/${field.id}`, { options: [] }), 'options');
  });
});

describe('a field that is removed', () => {
  it('stays while a router or a capacity names it, and the answer says which [contract 6]', async () => {
    const region = await admin.delete(`/fields/${await idOf('region')}`);
    expect([region.status, region.body.code, region.body.message]).toEqual([
      409,
      'conflict',
      'The field contacts.region is in use: the router Inbound (rule VIP), the capacity Open',
    ]);
    const engineer = await admin.delete(`/fields/${await idOf('engineer')}`);
    expect(engineer.body.message).toContain('the router Inbound (owner_field)');
    const email = await admin.delete(`/fields/${await idOf('email')}`);
    expectError(email, 409, {
      code: 'conflict',
      message: 'Every account has this field: it cannot be removed',
    });
  });

  it('is hidden with its values, and comes back with them [contract 6]', async () => {
    const id = await idOf('score');
    const { body: record } = await admin.post('/contacts', { fields: { first_name: 'Max', score: 7 } });
    const read = () => admin.get(`/contacts/${record.id}?properties=score`);
    expect((await read()).body.score).toBe('7');
    const gone = await admin.delete(`/fields/${id}`);
    expect([gone.status, gone.body.archived]).toEqual([200, expect.any(String)]);
    expectBadField(await admin.patch(`/contacts/${record.id}`, { fields: { score: 8 } }), 'score');
    expectBadField(await read(), 'properties');
    expect((await admin.patch(`/contacts/${record.id}`, { fields: { city: 'Ulm' } })).status).toBe(200);
    expect((await all()).map((field) => field.id)).not.toContain(id);
    expect((await all('&archived=true')).map((field) => field.id)).toContain(id);
    expect((await admin.delete(`/fields/${id}`)).status).toBe(404);
    expectError(await admin.patch(`/fields/${id}`, { label: 'X' }), 409, {
      message:
        'This field is archived and cannot be changed: a POST /fields with its internal_name makes it active again',
      code: 'archived',
    });

    const other = { object_type: 'contacts', internal_name: 'score' };
    expectBadField(await admin.post('/fields', { ...other, type: 'string' }), 'type');
    const back = await admin.post('/fields', { ...other, type: 'number' });
    expect([back.status, back.body.id]).toEqual([201, id]);
    expect((await read()).body.score).toBe('7');
  });
});
