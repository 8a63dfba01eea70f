import type { ApiResponse } from '../../support/api-client.js';
import { expectError, expectInvalid, type Failure } from '../../support/error-object.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let contact: string;

beforeAll(async () => {
  service = await TestService.shared();
  account = await open();
  contact = await account.contact();
});
afterAll(async () => {
  expect(await account.log()).toEqual([]);
  await service.stop();
});

const open = (): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(['ada']),
    fields: [{ object_type: 'contacts', internal_name: 'score', type: 'number' }],
    routers: [router('R', {}, { users: people(['ada']) })],
  });

const simulate = (body: object): Promise<ApiResponse> => account.simulate('R', body);

describe('POST /dispatch/simulate refuses', () => {
  it('both an object and fields, and neither [contract 6]', async () => {
    const message = 'Send either object_id or fields';
    expectInvalid(await simulate({}), [undefined, message]);
    expectInvalid(await simulate({ at: '2026-06-01T00:00:00Z' }), [undefined, message]);
    expectInvalid(await simulate({ object_id: contact, fields: {} }), [undefined, message]);
    expectInvalid(await simulate({ object_id: contact, fields: { first_name: 'Ada' } }), [
      undefined,
      message,
    ]);
  });

  it.each([
    '',
    ' ',
    'now',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '12:00',
    '2026-06-01 25:00',
    1780000000000,
    null,
    true,
    {},
    ['2026-06-01'],
  ])('an instant that is none: %j [contract 6]', async (at) => {
    const failure: Failure = ['at', 'at must be an ISO 8601 date and time'];
    expectInvalid(await simulate({ fields: {}, at }), failure);
    expectInvalid(await simulate({ object_id: contact, at }), failure);
  });

  it('fields that fail, naming every one of them [2.6, contract 1, contract 3, contract 6]', async () => {
    const fields = {
      nope: 1,
      score: 'many',
      contact_owner: 'nobody@acme.test',
      lead_source: 'none such',
      id: UNKNOWN_ID,
    };
    const { body: created } = await account.api.post('/contacts', {
      fields: { first_name: 'Ada', ...fields },
    });
    const response = await simulate({ fields });
    expect(response.status).toBe(400);
    expect(response.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      Object.keys(fields).sort(),
    );
    // The messages are those of a create.
    expect(response.body.errors).toEqual(created.errors);
    expectInvalid(await simulate({ fields: { id: 'x' } }), ['id', 'Field cannot be set: id']);
  });

  it.each([null, [], 'x', 7, true])('fields that are no object: %j [contract 6]', async (fields) => {
    const failure: Failure = ['fields', 'fields must be an object of field names and values'];
    expectInvalid(await simulate({ fields }), failure);
  });

  it.each([null, 7, true, {}, ['x']])(
    'an object id that is no string: %j [contract 6]',
    async (object_id) => {
      expectInvalid(await simulate({ object_id }), ['object_id', 'object_id must be a string']);
    },
  );

  it('a router that is missing or no string, unknown keys and parameters, all at once [contract 1, contract 6]', async () => {
    expectInvalid(await account.api.post('/dispatch/simulate', { fields: {} }), [
      'router_id',
      'router_id is required',
    ]);
    expectInvalid(
      await account.api.post('/dispatch/simulate', { router_id: 7, fields: 7, at: 7, dry: true }),
      ['dry', /^Unknown key: dry \(allowed: router_id, /],
      ['router_id', 'router_id must be a string'],
      ['fields', 'fields must be an object of field names and values'],
      ['at', 'at must be an ISO 8601 date and time'],
    );
    const body = { router_id: await account.routerId('R'), fields: {} };
    expectInvalid(await account.api.post('/dispatch/simulate?at=now', body), [
      'at',
      'Unknown query parameter: at (this route takes none)',
    ]);
  });

  it('a router that is unknown, malformed or another account’s: the same 404 [1, 5.3, contract 1, contract 6]', async () => {
    const stranger = await open();
    for (const router_id of [UNKNOWN_ID, 'x', await stranger.routerId('R')]) {
      for (const subject of [{ fields: {} }, { object_id: contact }, { object_id: UNKNOWN_ID }]) {
        const response = await account.api.post('/dispatch/simulate', { router_id, ...subject });
        expectError(response, 404, { message: 'Router not found' });
      }
    }
  });

  it('an object that is unknown, malformed or another account’s: the same 404 [1, 5.3, contract 1, contract 6]', async () => {
    const stranger = await open();
    for (const object_id of [UNKNOWN_ID, 'x', await stranger.contact()]) {
      expectError(await simulate({ object_id }), 404, { message: 'Object not found' });
    }
  });

  it('a token without the scope dispatch, and no token [4, 5.2, contract 2, contract 6]', async () => {
    const body = { router_id: await account.routerId('R'), fields: {} };
    const scopes = ['records:read', 'records:write', 'routers:read', 'manage'] as const;
    const lacking = await service.login(account.slug, scopes);
    expectError(await lacking.post('/dispatch/simulate', body), 403, {
      message: 'This token lacks the scope dispatch',
    });
    expectError(await service.anonymous.post('/dispatch/simulate', body), 401, {
      message: 'Unauthorized: missing bearer token',
    });
    const able = await service.login(account.slug, ['dispatch']);
    expect((await able.post('/dispatch/simulate', body)).status).toBe(200);
  });
});
