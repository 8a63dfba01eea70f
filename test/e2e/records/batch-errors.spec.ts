import type { ApiResponse } from '../../support/api-client.js';
import { expectError, expectInvalid } from '../../support/error-object.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

const open = (): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(['ada']),
    routers: [router('R', {}, { users: people(['ada']) })],
  });

describe('POST /dispatch/batch refuses', () => {
  let account: RoutingAccount;
  let routerId: string;
  const post = (body: unknown): Promise<ApiResponse> => account.api.post('/dispatch/batch', body);

  beforeAll(async () => {
    account = await open();
    routerId = await account.routerId('R');
  });
  afterAll(async () => {
    expect(await account.log()).toEqual([]);
  });

  it('no ids, and more than 100 [contract 6]', async () => {
    const message = 'object_ids must name 1 to 100 objects';
    expectInvalid(await account.batch('R', []), ['object_ids', message]);
    expectInvalid(await account.batch('R', Array<string>(101).fill(UNKNOWN_ID)), ['object_ids', message]);
  });

  it.each([undefined, null, 'x', 7, true, {}, { 0: 'x' }])(
    'what is no list: %j [contract 6]',
    async (object_ids) => {
      const message = 'object_ids must be an array of strings';
      expectInvalid(await post({ router_id: routerId, object_ids }), ['object_ids', message]);
    },
  );

  it.each([[[1]], [['x', null]], [[{}]]])('ids that are no strings: %j [contract 6]', async (object_ids) => {
    const message = 'object_ids must be strings';
    expectInvalid(await post({ router_id: routerId, object_ids }), ['object_ids', message]);
  });

  it('a list among the ids [contract 1, contract 6]', async () => {
    expectInvalid(await post({ router_id: routerId, object_ids: ['x', ['y']] }), [
      'object_ids',
      'object_ids must be strings',
    ]);
  });

  it('a router that is missing or no string, with whatever else is wrong [contract 1, contract 6]', async () => {
    expectInvalid(await post({ object_ids: ['x'] }), ['router_id', 'router_id is required']);
    expectInvalid(
      await post({ router_id: 7, object_ids: [], object_id: 'x' }),
      ['object_id', 'Unknown key: object_id (allowed: router_id, object_ids)'],
      ['router_id', 'router_id must be a string'],
      ['object_ids', 'object_ids must name 1 to 100 objects'],
    );
    expectInvalid(
      await account.api.post('/dispatch/batch?dry_run=1', { router_id: routerId, object_ids: ['x'] }),
      ['dry_run', 'Unknown query parameter: dry_run (this route takes none)'],
    );
  });

  it('a router that is unknown, malformed, archived or another account’s: the same 404 [1, 5.3, contract 1, contract 6]', async () => {
    const stranger = await open();
    for (const router_id of [UNKNOWN_ID, 'x', await stranger.routerId('R')]) {
      const response = await post({ router_id, object_ids: [UNKNOWN_ID, 'x'] });
      expectError(response, 404, { message: 'Router not found' });
    }
  });

  it('a token without the scope dispatch, and no token [4, 5.2, contract 2, contract 6]', async () => {
    const body = { router_id: routerId, object_ids: [UNKNOWN_ID] };
    const scopes = ['records:read', 'records:write', 'routers:read', 'manage'] as const;
    const lacking = await service.login(account.slug, scopes);
    expectError(await lacking.post('/dispatch/batch', body), 403, {
      message: 'This token lacks the scope dispatch',
    });
    expectError(await service.anonymous.post('/dispatch/batch', body), 401, {
      message: 'Unauthorized: missing bearer token',
    });
    const able = await service.login(account.slug, ['dispatch']);
    expect((await able.post('/dispatch/batch', body)).status).toBe(200);
  });
});
