import type { ApiClient } from '../../support/api-client.js';
import { expectError, expectInvalid } from '../../support/error-object.js';
import { openLogged, shown } from '../../support/logged-account.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { mail, type RoutingAccount } from '../../support/routing-account.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let stranger: RoutingAccount;
let api: ApiClient;
let contact: string;
/** Every assignment of the account, newest first, as the API must show it. */
let runs: any[];

beforeAll(async () => {
  service = await TestService.shared();
  [account, stranger] = [await openLogged(service), await openLogged(service)];
  api = account.api;
  contact = await account.contact();
  expect(await account.assign('R', contact)).toBe('ada');
  expect(await account.assign('S', contact)).toBe('trigger_not_matched');
  await stranger.assign('R');
  runs = (await account.log()).map(shown).reverse();
});
afterAll(() => service.stop());

describe('GET /assignments/{id}', () => {
  it('adds the trace: why her, and why not him [contract 4, contract 6]', async () => {
    const { status, body } = await api.get(`/assignments/${runs.at(-1).id}`);
    expect(status).toBe(200);
    const { trace, ...run } = body;
    expect(run).toEqual(runs.at(-1));
    const columns = ['candidate', 'share', 'credit', 'credit_after', 'last'];
    const expected = [
      { step: 'trigger', matched: true, groups: [] },
      { step: 'overwrite', field: 'contact_owner', owner: null, allowed: true, because: 'no_owner' },
      {
        step: 'eligibility',
        in: [mail('ada'), mail('bob')],
        out: [
          { reasons: ['switched_off'], users: [mail('off')] },
          { reasons: ['out_of_office'], users: [mail('away')] },
        ],
      },
      {
        step: 'distribution',
        model: 'round robin',
        among: 'users',
        chosen: mail('ada'),
        rule: 'earliest_deadline',
        columns,
        rows: [
          [mail('ada'), 0.5, 0, -0.5, 0],
          [mail('bob'), 0.5, 0, 0.5, 0],
        ],
      },
    ];
    expect(trace).toEqual(expected);
    // A person reads it from left to right, as a simulation gives it.
    expect(JSON.stringify(trace)).toBe(JSON.stringify(expected));
  });

  it('says of a run that assigned nobody which condition saw what [contract 4, contract 6]', async () => {
    const { body } = await api.get(`/assignments/${runs.at(-2).id}`);
    expect(body).toEqual({
      ...runs.at(-2),
      trace: [
        {
          step: 'trigger',
          matched: false,
          groups: [[{ field: 'city', operator: 'eq', value: 'Atlantis', saw: null, held: false }]],
        },
      ],
    });
  });

  it('finds each run of the list, in any case of the id [contract 6]', async () => {
    for (const run of runs) {
      const { status, body } = await api.get(`/assignments/${run.id.toUpperCase()}`);
      expect({ status, body }).toEqual({ status: 200, body: { ...run, trace: expect.any(Array) } });
    }
  });

  it('stays as it was when router, people and record are gone [contract 6]', async () => {
    const fresh = await openLogged(service);
    const id = await fresh.contact();
    const { body: answer } = await fresh.dispatch('R', id);
    const before = (await fresh.api.get(`/assignments/${answer.assignment_id}`)).body;
    await fresh.api.delete(`/contacts/${id}`);
    await sql(service, 'UPDATE routers SET archived_at = now() WHERE id = $1', [before.router_id]);
    await fresh.apply({ users: [{ email: mail('ada'), available: false }] });
    expect((await fresh.api.get(`/assignments/${answer.assignment_id}`)).body).toEqual(before);
  });

  it('does not find what is unknown, malformed or another account’s: the same 404 [1, 5.3, contract 1, contract 6]', async () => {
    const [theirs] = await stranger.log();
    for (const id of [UNKNOWN_ID, 'x', theirs!.id, contact, `${UNKNOWN_ID}0`, '%20', '%00']) {
      expectError(await api.get(`/assignments/${id}`), 404, { message: 'Assignment not found' });
    }
  });

  it('takes no parameters [contract 1, contract 6]', async () => {
    expectInvalid(await api.get(`/assignments/${runs[0].id}?properties=trace`), [
      'properties',
      'Unknown query parameter: properties (this route takes none)',
    ]);
  });
});

describe('The assignment log', () => {
  it('needs the scope routers:read, and a token [4, 5.2, contract 2, contract 6]', async () => {
    const scopes = ['records:read', 'records:write', 'dispatch', 'manage'] as const;
    const lacking = await service.login(account.slug, scopes);
    const able = await service.login(account.slug, ['routers:read']);
    for (const path of ['/assignments', `/assignments/${runs[0].id}`]) {
      expectError(await lacking.get(path), 403, { message: 'This token lacks the scope routers:read' });
      expectError(await service.anonymous.get(path), 401, { message: 'Unauthorized: missing bearer token' });
      expect((await able.get(path)).status).toBe(200);
    }
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'cannot be changed: %s is 405 [contract 1, contract 6]',
    async (method) => {
      for (const path of ['/assignments', `/assignments/${runs[0].id}`]) {
        const response = await api.request(method, path);
        expect({ status: response.status, error: response.body.error }).toEqual({ status: 405, error: true });
        expect(response.headers.get('allow')).toContain('GET');
      }
    },
  );
});
