import type { ApiClient } from '../../support/api-client.js';
import { expectError, expectInvalid } from '../../support/error-object.js';
import { ISO_TIME, UNKNOWN_ID, UUID_V7 } from '../../support/record-types.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const DEFAULTS = {
  overwrite: false,
  overwrite_if_unavailable: false,
  distribution_model: 'round robin',
  rotation_type: 'users',
  default_user: null,
  disable_default_assignment: false,
  ignore_working_hours: false,
  account_matching: false,
  trigger: { groups: [] },
};

const EVERY_SETTING = {
  owner_field: 'account_manager',
  overwrite: true,
  overwrite_if_unavailable: true,
  distribution_model: 'percentage',
  rotation_type: 'teams',
  default_user: 'eve@acme.test',
  disable_default_assignment: true,
  ignore_working_hours: true,
  account_matching: true,
  trigger: { groups: [{ conditions: [{ field: 'city', operator: 'in', value: ['Paris', 'Rome'] }] }] },
};

const FULL = {
  users: [
    { email: 'ada@acme.test', percentage: 12.5 },
    { email: 'bob@acme.test', percentage: 0 },
  ],
  teams: [{ name: 'Sales', percentage: 87.5 }],
};

let service: TestService;
let account: RoutingAccount;
let other: RoutingAccount;
let api: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  const users = [
    { email: mail('ada'), name: 'Ada Lovelace', timezone: 'America/New_York' },
    { email: mail('bob'), available: false },
    { email: mail('eve') },
  ];
  account = await RoutingAccount.open(service, {
    users,
    teams: [{ name: 'Sales', members: [mail('eve'), mail('bob')] }],
    fields: [{ object_type: 'contacts', internal_name: 'account_manager', type: 'user' }],
    routers: [
      router('Full', EVERY_SETTING, FULL),
      router('No settings', null, { published: false }),
      ...['contacts', 'companies', 'deals', 'tickets'].map((type) =>
        router(`Default ${type}`, {}, { object_type: type }),
      ),
    ],
  });
  other = await RoutingAccount.open(service, { users: people(['ada']), routers: [router('Theirs', {})] });
  api = account.api;
});
afterAll(() => service.stop());

const read = async (name: string, query = ''): Promise<any> => {
  const { status, body } = await api.get(`/routers/${await account.routerId(name)}${query}`);
  expect(status).toBe(200);
  return body;
};

describe('GET /routers/{routerId}', () => {
  it('shows flattened settings, users and teams, and nothing else [2.10, 4, 4.5, 4.7, contract 4]', async () => {
    const id = await account.routerId('Full');
    const { status, headers, body } = await api.get(`/routers/${id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id,
        name: 'Full',
        object_type: 'contacts',
        has_integration: false,
        is_published: true,
        settings: EVERY_SETTING,
        users: [
          {
            id: expect.stringMatching(UUID_V7),
            email: 'ada@acme.test',
            name: 'Ada Lovelace',
            timezone: 'America/New_York',
            available: true,
            percentage: 12.5,
          },
          {
            id: expect.stringMatching(UUID_V7),
            email: 'bob@acme.test',
            name: null,
            timezone: 'UTC',
            available: false,
            percentage: 0,
          },
        ],
        teams: [
          {
            id: expect.stringMatching(UUID_V7),
            name: 'Sales',
            members: ['eve@acme.test', 'bob@acme.test'],
            percentage: 87.5,
          },
        ],
        archived: false,
        created_at: expect.stringMatching(ISO_TIME),
        updated_at: body.created_at,
      },
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['contacts', 'contact_owner'],
    ['companies', 'company_owner'],
    ['deals', 'deal_owner'],
    ['tickets', 'ticket_owner'],
  ])('shows every setting with its default: %s [2.10, 4.5, contract 4]', async (type, ownerField) => {
    const body = await read(`Default ${type}`);
    expect(body).toMatchObject({ object_type: type, is_published: true, users: [], teams: [] });
    expect(body.settings).toEqual({ owner_field: ownerField, ...DEFAULTS });
  });

  it('shows null settings where a router has none [2.10, contract 4]', async () => {
    expect(await read('No settings')).toMatchObject({ settings: null, is_published: false });
  });

  it('shows no percentage where none is configured [2.10, contract 4]', async () => {
    await account.apply({
      routers: [router('Plain', {}, { users: people(['ada']), teams: [{ name: 'Sales' }] })],
    });
    const { users, teams } = await read('Plain');
    expect(users).toEqual([
      {
        id: expect.any(String),
        email: 'ada@acme.test',
        name: 'Ada Lovelace',
        timezone: 'America/New_York',
        available: true,
      },
    ]);
    expect(teams).toEqual([{ id: expect.any(String), name: 'Sales', members: [mail('eve'), mail('bob')] }]);
  });

  it('shows what was configured a moment ago [4.5, contract 4]', async () => {
    await account.apply({ routers: [router('Changing', {}, { users: people(['ada']) })] });
    expect(await read('Changing')).toMatchObject({ is_published: true, settings: { overwrite: false } });
    await account.apply({
      routers: [router('Changing', { overwrite: true }, { published: false, users: [] })],
    });
    expect(await read('Changing')).toMatchObject({ is_published: false, settings: { overwrite: false } });
    const body = await read('Changing', '?version=draft');
    expect(body).toMatchObject({ is_published: false, users: [] });
    expect(body.settings).toEqual({ owner_field: 'contact_owner', ...DEFAULTS, overwrite: true });
    expect(body.updated_at > body.created_at).toBe(true);
  });

  it('shows an archived router with when and by whom [4.5, contract 3, contract 4]', async () => {
    await account.apply({ routers: [router('Old', {})] });
    const id = await account.routerId('Old');
    const values = [id, '2026-03-01T00:00:00Z', 'client-7'];
    await sql(service, 'UPDATE routers SET archived_at = $2, archived_by = $3 WHERE id = $1', values);
    expect(await read('Old')).toMatchObject({
      id,
      archived: '2026-03-01T00:00:00.000Z',
      archived_by: 'client-7',
    });
  });

  it('is the item of the list, key for key [4.5, contract 4]', async () => {
    const { body } = await api.get('/routers?limit=100');
    const full = body.data.find(({ name }: { name: string }) => name === 'Full');
    expect(full).toEqual(await read('Full'));
  });
});

describe('A router that cannot be read', () => {
  it('is the same 404 whether unknown, malformed or another account’s [4.5, 4.7, 5.3, contract 1]', async () => {
    const ids = [
      UNKNOWN_ID,
      await other.routerId('Theirs'),
      'nonsense',
      '1',
      '%00',
      "'%20OR%201=1",
      `${await account.routerId('Full')}0`,
      '%EF%BF%BD',
      'x'.repeat(3000),
    ];
    for (const id of ids) {
      expectError(await api.get(`/routers/${id}`), 404, { message: 'Router not found' });
    }
  });

  it('is a 404 also where the id is that of a record [4.5, contract 1]', async () => {
    expectError(await api.get(`/routers/${await account.contact()}`), 404, { message: 'Router not found' });
  });

  it('needs the scope routers:read [4.5, 5.2, contract 2]', async () => {
    const id = await account.routerId('Full');
    const reader = await service.login(account.slug, ['routers:read']);
    expect((await reader.get(`/routers/${id}`)).status).toBe(200);
    const lacking = await service.login(account.slug, [
      'records:read',
      'records:write',
      'dispatch',
      'manage',
    ]);
    expectError(await lacking.get(`/routers/${id}`), 403, {
      message: 'This token lacks the scope routers:read',
    });
  });

  it('needs a token [4, 5.2, 7]', async () => {
    const response = await service.anonymous.get(`/routers/${await account.routerId('Full')}`);
    expectError(response, 401, { message: 'Unauthorized: missing bearer token' });
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('takes no query parameter but the version and what is expanded [4.7, contract 1]', async () => {
    const response = await api.get(`/routers/${await account.routerId('Full')}?properties=name&x=1`);
    expectInvalid(
      response,
      ['properties', 'Unknown query parameter: properties (allowed: version, expand)'],
      ['x', 'Unknown query parameter: x (allowed: version, expand)'],
    );
  });

  it('cannot be posted or put to [4, contract 1]', async () => {
    const path = `/routers/${await account.routerId('Full')}`;
    for (const method of ['POST', 'PUT']) {
      const response = await api.request(method, path, {});
      expect({ status: response.status, error: response.body.error }).toEqual({ status: 405, error: true });
      expect(response.headers.get('allow')).toContain('GET');
    }
  });
});
