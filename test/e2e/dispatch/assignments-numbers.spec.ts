import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { openLogged } from '../../support/logged-account.js';
import { UNKNOWN_ID } from '../../support/record-types.js';
import { condition } from '../../support/database/trigger-table.js';
import { mail, people, router, type RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let api: ApiClient;
let contact: string;
/** Every entry of the log, newest first. */
let runs: any[];

beforeAll(async () => {
  service = await TestService.shared();
  account = await openLogged(service);
  api = account.api;
  const gold = { name: 'Gold', trigger: condition('city', 'eq', 'Oslo'), users: people(['off']), steps: [{ users: people(['bob']) }] };
  await account.apply({ routers: [router('Ruled', { overwrite: true, rules: [gold] }, { users: people(['ada']) })] });
  contact = await account.contact({ city: 'Oslo' });
  for (const name of ['R', 'S', 'Ruled', 'Ruled']) await account.assign(name, contact);
  await account.turns('R', 2);
  runs = (await api.get('/assignments')).body.data;
}); // prettier-ignore
afterAll(() => service.stop());

const list = async (query: string): Promise<any[]> => {
  const { status, body } = await api.get(`/assignments?${query}`);
  expect([status, body.pagination?.count]).toEqual([200, body.data?.length]);
  return body.data;
};

describe('GET /assignments', () => {
  it('is filtered by reason, by rule, by step, and by whether somebody has the record [contract 6]', async () => {
    expect(runs.map(({ reason, rule, step, user }) => [reason, rule, step, user])).toEqual([
      ['round_robin', null, 0, mail('ada')],
      ['round_robin', null, 0, mail('bob')],
      ['already_owner', 'Gold', 1, mail('bob')],
      ['round_robin', 'Gold', 1, mail('bob')],
      ['trigger_not_matched', null, null, null],
      ['round_robin', null, 0, mail('ada')],
    ]);
    const is = (query: string, ...places: number[]): Promise<void> =>
      list(query).then((data) => expect(data).toEqual(places.map((place) => runs[place])));
    await is('reason=round_robin', 0, 1, 3, 5);
    await is('reason=nonsense');
    await is('assigned=false', 4);
    await is('assigned=true', 0, 1, 2, 3, 5);
    await is('assigned=false&reason=round_robin');
    await is('rule=Gold', 2, 3);
    await is('step=1', 2, 3);
    await is('step=0', 0, 1, 5);
    await is(`rule=Gold&user=${mail('bob')}`, 3);
    await is(`rule=Gold&object_id=${contact}&assigned=true`, 2, 3);
  });

  it('is filtered by the instants of the entries: from one on, and before another [contract 6]', async () => {
    const [from, to] = [runs[4].created_at, runs[1].created_at].map((at) =>
      new Date(Date.parse(at) - 1).toISOString(),
    );
    const between = await list(`from=${from}`);
    expect(between.map(({ id }) => id)).toEqual(runs.slice(0, 5).map(({ id }) => id));
    const { data: before } = (await api.get(`/assignments?to=${to}`)).body;
    expect([...(await list(`from=${to}`)), ...before]).toEqual(runs);
    expect(await list('from=2100-01-01')).toEqual([]);
    expect(await list('to=1969-01-01')).toEqual([]);
    expect(await list('from=1969-01-01&to=9999-12-31T23:59:59.999Z&reason=already_owner')).toEqual([runs[2]]);
  });

  it('refuses what no filter takes, and names it [contract 1, contract 6]', async () => {
    expectInvalid(
      await api.get('/assignments?reason=&assigned=yes&rule=a&rule=b&step=21&from=noon&to=2026-13-01'),
      ['reason', 'reason must not be empty'],
      ['assigned', 'assigned must be true or false'],
      ['rule', 'rule must be sent once'],
      ['step', 'step must be an integer from 0 to 20'],
      ['from', 'from must be an ISO 8601 date and time'],
      ['to', 'to must be an ISO 8601 date and time'],
    );
  });
});

describe('GET /assignments/summary', () => {
  const summary = async (query: string): Promise<any> => {
    const { status, body } = await api.get(`/assignments/summary?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const line = (value: string | null, assigned: number, refused = 0): object => ({
    value,
    assigned,
    refused,
  });

  it('counts by user, rule, reason and day, the largest first, with the same filters [contract 6]', async () => {
    const total = { assigned: 5, refused: 1 };
    expect(await summary('by=reason')).toEqual({
      by: 'reason',
      data: [line('round_robin', 4), line('already_owner', 1), line('trigger_not_matched', 0, 1)],
      total,
    });
    expect(await summary('by=rule')).toEqual({
      by: 'rule',
      data: [line(null, 3, 1), line('Gold', 2)],
      total,
    });
    // Who had the record already was not given it.
    const users = await summary('by=user');
    expect(new Set(users.data)).toEqual(
      new Set([line(mail('ada'), 2), line(mail('bob'), 2), line(null, 1, 1)]),
    );
    const { data: days } = await summary('by=day');
    const last = days.at(-1);
    expect(last.value).toBe(runs[0].created_at.slice(0, 10));
    expect(await summary('by=user&rule=Gold&assigned=true&step=1')).toEqual({
      by: 'user',
      data: [line(null, 1), line(mail('bob'), 1)],
      total: { assigned: 2, refused: 0 },
    });
  });

  it('is empty where a filter names nothing [contract 1, contract 6]', async () => {
    const none = { by: 'day', data: [], total: { assigned: 0, refused: 0 } };
    for (const filter of [
      `router_id=${UNKNOWN_ID}`,
      'object_id=x',
      'user=nobody@acme.test',
      'from=2100-01-01',
    ])
      expect(await summary(`by=day&${filter}`)).toEqual(none);
    const stranger = await openLogged(service);
    expect((await stranger.api.get('/assignments/summary?by=day')).body).toEqual(none);
  });

  it('wants to know by what, and takes no page [contract 1, contract 6]', async () => {
    const what = 'by must be one of user, rule, reason, day';
    expectInvalid(await api.get('/assignments/summary'), ['by', what]);
    const unknown =
      'Unknown query parameter: limit (allowed: by, router_id, object_id, user, reason, assigned, rule, step, from, to)';
    expectInvalid(await api.get('/assignments/summary?by=week&limit=1'), ['limit', unknown], ['by', what]);
  });
});
