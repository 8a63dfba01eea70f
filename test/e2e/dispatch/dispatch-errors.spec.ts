import { expectError, expectInvalid, type Failure } from '../../support/error-object.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { people, router, RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

const MALFORMED = [
  '1',
  'nonsense',
  ' ',
  "' OR 1=1 --",
  `{${UNKNOWN_ID}}`,
  `${UNKNOWN_ID}\n`,
  '\u0000',
  '\ud800',
];
const NO_ROUTER = { message: 'Router not found' };
const NO_OBJECT = { message: 'Object not found' };

let service: TestService;
let account: RoutingAccount;
let other: RoutingAccount;
let routerId: string;
let contact: string;

beforeAll(async () => {
  service = await TestService.shared();
  const file = {
    users: people(['ada']),
    routers: [router('R', { overwrite: true }, { users: people(['ada']) })],
  };
  account = await RoutingAccount.open(service, file);
  other = await RoutingAccount.open(service, file);
  routerId = await account.routerId('R');
  contact = await account.contact();
});
afterAll(() => service.stop());

const post = (body: unknown): ReturnType<RoutingAccount['dispatch']> =>
  account.api.post('/dispatch/router', body);

/** A refused request has changed nothing and logged nothing, in either account. */
afterEach(async () => {
  for (const { records, rotations } of [await account.stored(), await other.stored()]) {
    expect(rotations).toEqual([]);
    for (const record of records)
      expect(record).not.toMatchObject({ fields: { contact_owner: expect.anything() } });
  }
  expect([await account.log(), await other.log()]).toEqual([[], []]);
});

describe('POST /dispatch/router refuses a body', () => {
  const failures = (rule: string): [Failure, Failure] => [
    ['router_id', `router_id ${rule}`],
    ['object_id', `object_id ${rule}`],
  ];

  it.each([undefined, null, ''])(
    'with an id that is missing or empty: %j [4.6, 7, contract 1, contract 4]',
    async (none) => {
      const [noRouter, noObject] = failures('is required');
      expectInvalid(await post({ router_id: none, object_id: none }), noRouter, noObject);
      expectInvalid(await post({ router_id: none, object_id: contact }), noRouter);
      expectInvalid(await post({ router_id: routerId, object_id: none }), noObject);
    },
  );

  it.each([1, 0, true, false, [], ['x'], {}, { id: 'x' }])(
    'with an id that is no string: %j [4.6, 4.7, contract 4]',
    async (value) => {
      const [badRouter, badObject] = failures('must be a string');
      expectInvalid(await post({ router_id: value, object_id: value }), badRouter, badObject);
      expectInvalid(await post({ router_id: value, object_id: contact }), badRouter);
      expectInvalid(await post({ router_id: routerId, object_id: value }), badObject);
    },
  );

  it('with keys that it does not know, naming them [contract 1]', async () => {
    const ids = { router_id: routerId, object_id: contact };
    expectInvalid(await post({ ...ids, force: true }), [
      'force',
      'Unknown key: force (allowed: router_id, object_id)',
    ]);
    expectInvalid(
      await post({ ...ids, object_ids: [contact], fields: {} }),
      ['object_ids', 'Unknown key: object_ids (allowed: router_id, object_id)'],
      ['fields', 'Unknown key: fields (allowed: router_id, object_id)'],
    );
    const raw = `{"router_id":"${routerId}","object_id":"${contact}","__proto__":{},"constructor":1}`;
    expectInvalid(
      await account.api.post('/dispatch/router', undefined, { raw }),
      ['__proto__', 'Unknown key: __proto__ (allowed: router_id, object_id)'],
      ['constructor', 'Unknown key: constructor (allowed: router_id, object_id)'],
    );
  });

  it.each(['[]', '[{}]', 'null', '"text"', '1', 'true'])(
    'that is no object: %s [4.6, 7, contract 1]',
    async (raw) => {
      const response = await account.api.post('/dispatch/router', undefined, { raw });
      expectInvalid(response, [undefined, 'The body must be a JSON object']);
    },
  );

  it('that is empty [4.6, 7, contract 1]', async () => {
    for (const raw of ['', '{}']) {
      const response = await account.api.post('/dispatch/router', undefined, { raw });
      expectInvalid(response, ...failures('is required'));
    }
  });

  it('that is no JSON [7, contract 1]', async () => {
    const response = await account.api.post('/dispatch/router', undefined, { raw: '{"router_id":' });
    expect({ status: response.status, error: response.body.error }).toEqual({ status: 400, error: true });
  });

  it('with query parameters [contract 1]', async () => {
    const response = await account.api.post('/dispatch/router?dry_run=true', {
      router_id: routerId,
      object_id: contact,
    });
    expectInvalid(response, ['dry_run', 'Unknown query parameter: dry_run (this route takes none)']);
  });
});

describe('POST /dispatch/router does not find', () => {
  it('a router that is unknown, malformed or another account’s: the same 404 [1, 4.6, 4.7, 5.3, contract 1, contract 4]', async () => {
    const foreign = await other.routerId('R');
    for (const id of [UNKNOWN_ID, foreign, contact, 'R', ...MALFORMED]) {
      expectError(await post({ router_id: id, object_id: contact }), 404, NO_ROUTER);
    }
  });

  it('an object that is unknown, malformed or another account’s: the same 404 [1, 4.6, 4.7, 5.3, contract 1, contract 4]', async () => {
    const foreign = await other.contact();
    for (const id of [UNKNOWN_ID, foreign, routerId, ...MALFORMED]) {
      expectError(await post({ router_id: routerId, object_id: id }), 404, NO_OBJECT);
    }
  });

  it('another account’s router and object together [1, 5.3, contract 1]', async () => {
    const foreign = { router_id: await other.routerId('R'), object_id: await other.contact() };
    expectError(await post(foreign), 404, NO_ROUTER);
  });

  it('the router before the object [4.6, contract 4]', async () => {
    expectError(await post({ router_id: UNKNOWN_ID, object_id: UNKNOWN_ID }), 404, NO_ROUTER);
    expectError(await post({ router_id: 'x', object_id: 'x' }), 404, NO_ROUTER);
  });

  it('an archived router [4.6, contract 4]', async () => {
    await account.apply({ routers: [router('Old', {}, { users: people(['ada']) })] });
    const id = await account.routerId('Old');
    await sql(service, `UPDATE routers SET archived_at = now(), archived_by = 'x' WHERE id = $1`, [id]);
    await sql(
      service,
      `UPDATE accounts SET config_version = config_version + 1
       WHERE id = (SELECT account_id FROM routers WHERE id = $1)`,
      [id],
    );
    expectError(await post({ router_id: id, object_id: contact }), 404, NO_ROUTER);
    expectError(await post({ router_id: id, object_id: UNKNOWN_ID }), 404, NO_ROUTER);
  });
});

describe('POST /dispatch/router refuses', () => {
  it('an archived object with 409 and no field [3, 4.6, contract 4]', async () => {
    const archived = await account.contact();
    await account.api.delete(`/contacts/${archived}`);
    expectError(await post({ router_id: routerId, object_id: archived }), 409, {
      code: 'archived',
      message: 'The object is archived and cannot be assigned',
    });
  });

  it.each([
    ['companies', { company_name: 'Acme' }],
    ['deals', { deal_name: 'Big', deal_stage: 'new', pipeline: 'default' }],
    ['tickets', { ticket_name: 'Down', ticket_stage: 'new', pipeline: 'default' }],
  ])('an object of another type than the router’s: %s [4.6, 7, contract 4]', async (type, fields) => {
    const object_id = await account.create(type, fields);
    const message = `This router is for contacts; the object is one of ${type}`;
    expectInvalid(await post({ router_id: routerId, object_id }), ['object_id', message]);
    await account.api.delete(`/${type}/${object_id}`);
    expectInvalid(await post({ router_id: routerId, object_id }), ['object_id', message]);
  });

  it('a token without the scope dispatch [4, 5.2, contract 2]', async () => {
    const body = { router_id: routerId, object_id: contact };
    const scopes = ['records:read', 'records:write', 'routers:read', 'manage'] as const;
    const lacking = await service.login(account.slug, scopes);
    const response = await lacking.post('/dispatch/router', body);
    expectError(response, 403, { message: 'This token lacks the scope dispatch' });
    expect(response.headers.get('www-authenticate')).toContain('dispatch');
  });

  it('a request without a token [4, 5.2, 7]', async () => {
    const response = await service.anonymous.post('/dispatch/router', {
      router_id: routerId,
      object_id: contact,
    });
    expectError(response, 401, { message: 'Unauthorized: missing bearer token' });
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('the method %s with 405 [4, contract 1]', async (method) => {
    const response = await account.api.request(method, '/dispatch/router');
    expect({ status: response.status, error: response.body.error }).toEqual({ status: 405, error: true });
    expect(response.headers.get('allow')).toBe('POST');
  });
});
