import { cursorBehind } from '../../../src/paging/index.js';
import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { ISO_TIME, UNKNOWN_ID, UUID_V7 } from '../../support/record-types.js';
import { openLogged, shown } from '../../support/logged-account.js';
import { mail, type RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let stranger: RoutingAccount;
let api: ApiClient;
let contact: string;
let company: string;
/** Every assignment of the account, newest first, as the API must show it. */
let runs: any[];

beforeAll(async () => {
  service = await TestService.shared();
  [account, stranger] = [await openLogged(service), await openLogged(service)];
  api = account.api;
  contact = await account.contact();
  const other = await account.contact();
  company = await account.create('companies', { company_name: 'Acme' });
  expect(await account.assign('R', contact)).toBe('ada');
  expect(await account.assign('S', contact)).toBe('trigger_not_matched');
  expect(await account.assign('R', contact)).toBe('bob');
  expect(await account.assign('C', company)).toBe('bob');
  expect(await account.assign('C', company)).toBe('owner_present');
  const batch = await account.batch('R', [other, 'x', contact]);
  expect(batch.body.results.map((each: any) => each.user)).toEqual([mail('ada'), undefined, mail('bob')]);
  await account.simulate('R', { object_id: contact });
  await stranger.assign('R');
  runs = (await account.log()).map(shown).reverse();
});
afterAll(() => service.stop());

const list = async (query = ''): Promise<{ data: any[]; pagination: object }> => {
  const { status, body } = await api.get(`/assignments${query}`);
  expect(status).toBe(200);
  return body;
};

/** A page as the API must show it. */
const page = (data: readonly any[], { limit = 10, offset = 0, count = data.length }): object => {
  const next = data.length > 0 && offset + data.length < count ? cursorBehind(data.at(-1).id) : null;
  return { data, pagination: { limit, offset, count, next } };
};
const NONE = (limit = 10): object => page([], { limit });

describe('GET /assignments', () => {
  it('lists every run of a dispatch, assigned or not, newest first; no refused ones and no simulations [contract 6]', async () => {
    expect(runs.map(({ user, previous_user, reason }) => [user, previous_user, reason])).toEqual([
      [mail('bob'), mail('bob'), 'already_owner'],
      [mail('ada'), null, 'round_robin'],
      [null, mail('bob'), 'owner_present'],
      [mail('bob'), null, 'round_robin'],
      [mail('bob'), mail('ada'), 'round_robin'],
      [null, mail('ada'), 'trigger_not_matched'],
      [mail('ada'), null, 'round_robin'],
    ]);
    expect(await list()).toEqual(page(runs, {}));
    for (const run of (await list()).data) {
      expect(run.id).toMatch(UUID_V7);
      expect(run.created_at).toMatch(ISO_TIME);
    }
    expect(runs.map(({ object_type }) => object_type)).toEqual([
      'contacts',
      'contacts',
      'companies',
      'companies',
      'contacts',
      'contacts',
      'contacts',
    ]);
  });

  it('shows a run at once, under the id that the dispatch answered [contract 4, contract 6]', async () => {
    const fresh = await openLogged(service);
    const { body: answer } = await fresh.dispatch('R', await fresh.contact());
    const { body } = await fresh.api.get('/assignments');
    expect(body.pagination).toEqual({ limit: 10, offset: 0, count: 1, next: null });
    expect(body.data[0]).toMatchObject({
      id: answer.assignment_id,
      user: answer.user,
      reason: answer.reason,
      message: answer.message,
    });
  });

  it('takes limit and offset; count is of all [contract 3, contract 6]', async () => {
    expect(await list('?limit=3')).toEqual(page(runs.slice(0, 3), { limit: 3, offset: 0, count: 7 }));
    expect(await list('?limit=3&offset=3')).toEqual(
      page(runs.slice(3, 6), { limit: 3, offset: 3, count: 7 }),
    );
    expect(await list('?offset=6&limit=100')).toEqual(
      page(runs.slice(6), { limit: 100, offset: 6, count: 7 }),
    );
    expect(await list('?offset=7')).toEqual(page([], { offset: 7, count: 7 }));
  });

  it.each([1, 2, 3, 6, 7])(
    'joins pages of %d to the whole by after [contract 6, contract 3]',
    async (limit) => {
      for (const filter of ['', `&user=${mail('bob')}`, `&object_id=${contact}`]) {
        const { data: all } = await list(`?limit=100${filter}`);
        const joined: any[] = [];
        let next: string | null = '';
        while (next !== null) {
          const { data, pagination }: any = await list(`?limit=${limit}${filter}${next && `&after=${next}`}`);
          expect(pagination).toMatchObject({ limit, offset: 0, count: all.length });
          joined.push(...data);
          ({ next } = pagination);
        }
        expect(joined).toEqual(all);
      }
    },
  );

  it('is not disturbed by runs between pages that are joined by after [contract 6, contract 3]', async () => {
    const fresh = await openLogged(service);
    await fresh.turns('R', 3);
    const { body: first } = await fresh.api.get('/assignments?limit=1');
    await fresh.turns('R', 2);
    const { body: rest } = await fresh.api.get(`/assignments?after=${first.pagination.next}`);
    const older = (await fresh.log())
      .map(({ id }) => id)
      .slice(0, 2)
      .reverse();
    expect(rest.data.map(({ id }: any) => id)).toEqual(older);
    expect(rest.pagination).toEqual({ limit: 10, offset: 0, count: 5, next: null });
  });

  it('refuses an after that is none, or with an offset, and names it [contract 1, contract 3]', async () => {
    const { next } = (await api.get('/assignments?limit=1')).body.pagination;
    for (const bad of ['', 'x', runs[0].id, `${next}=`, next.slice(1)]) {
      const message = 'after must be the next of another page of this list';
      expectInvalid(await api.get(`/assignments?after=${bad}`), ['after', message]);
    }
    const message = 'after cannot be sent together with an offset';
    expectInvalid(await api.get(`/assignments?after=${next}&offset=1`), ['after', message]);
  });

  it('is narrowed by each filter, and by all of them together [contract 6]', async () => {
    const [r, s, c] = await Promise.all(['R', 'S', 'C'].map((name) => account.routerId(name)));
    // Who kept a record was not given it.
    const gave = (run: any, name: string): boolean =>
      run.user === mail(name) && run.reason !== 'already_owner';
    const cases: [query: Record<string, string>, wanted: (run: any) => boolean, count: number][] = [
      [{ router_id: r! }, (run) => run.router_id === r, 4],
      [{ router_id: s! }, (run) => run.router_id === s, 1],
      [{ router_id: c!.toUpperCase() }, (run) => run.router_id === c, 2],
      [{ object_id: contact }, (run) => run.object_id === contact, 4],
      [{ object_id: company.toUpperCase() }, (run) => run.object_id === company, 2],
      [{ user: mail('ada') }, (run) => gave(run, 'ada'), 2],
      [{ user: mail('BOB').toUpperCase() }, (run) => gave(run, 'bob'), 2],
      [{ router_id: r!, object_id: contact }, (run) => run.router_id === r && run.object_id === contact, 3],
      [{ router_id: r!, user: mail('ada') }, (run) => run.router_id === r && run.user === mail('ada'), 2],
      [{ object_id: company, user: mail('bob') }, (run) => run.object_id === company && run.user !== null, 1],
      [
        { router_id: r!, object_id: contact, user: mail('bob') },
        (run) => run.router_id === r && run.object_id === contact && gave(run, 'bob'),
        1,
      ],
      [{ router_id: s!, user: mail('ada') }, () => false, 0],
      [{ router_id: c!, object_id: contact }, () => false, 0],
    ];
    for (const [query, wanted, count] of cases) {
      const data = runs.filter(wanted);
      expect(data).toHaveLength(count);
      const parameters = new URLSearchParams(query).toString();
      expect(await list(`?${parameters}`)).toEqual(page(data, {}));
      expect(await list(`?${parameters}&limit=1&offset=1`)).toEqual(
        page(data.slice(1, 2), { limit: 1, offset: 1, count }),
      );
    }
  });

  it.each(['router_id', 'object_id', 'user'])(
    'is empty for a %s that nothing has [contract 1, contract 6]',
    async (name) => {
      for (const value of [
        UNKNOWN_ID,
        'x',
        '%20',
        '%F0%9F%98%80',
        'nobody%40acme.test',
        `${UNKNOWN_ID}0`,
        "'%20OR%201=1",
      ]) {
        expect(await list(`?${name}=${value}&limit=5`)).toEqual(NONE(5));
      }
    },
  );

  it('is empty for what is another account’s, and never shows its runs [1, 5.3, contract 6]', async () => {
    const [theirs] = await stranger.log();
    expect(await list(`?router_id=${theirs!.router_id}`)).toEqual(NONE());
    expect(await list(`?object_id=${theirs!.object_id}`)).toEqual(NONE());
    const { body } = await stranger.api.get('/assignments');
    expect(body).toEqual(page([shown(theirs!)], {}));
    const nobody = await service.login('an-account-without-runs');
    expect((await nobody.get('/assignments')).body).toEqual(NONE());
  });

  it.each(['0', '101', '-1', '1.5', 'x', '', '1e1'])(
    'refuses limit=%s [contract 3, contract 6]',
    async (value) => {
      expectInvalid(await api.get(`/assignments?limit=${value}`), [
        'limit',
        'limit must be an integer from 1 to 100',
      ]);
    },
  );

  it.each(['-1', '1.5', 'x', ''])('refuses offset=%s [contract 3, contract 6]', async (value) => {
    expectInvalid(await api.get(`/assignments?offset=${value}`), [
      'offset',
      'offset must be an integer of 0 or more',
    ]);
  });

  it('refuses unknown parameters, empty and repeated ones, naming each [contract 1, contract 6]', async () => {
    const allowed =
      '(allowed: limit, offset, after, router_id, object_id, user, reason, assigned, rule, step, from, to)';
    expectInvalid(
      await api.get('/assignments?archived=false&sort=x&limit=0&user=&router_id=a&router_id=b'),
      ['archived', `Unknown query parameter: archived ${allowed}`],
      ['sort', `Unknown query parameter: sort ${allowed}`],
      ['limit', 'limit must be an integer from 1 to 100'],
      ['router_id', 'router_id must be sent once'],
      ['user', 'user must not be empty'],
    );
  });
});
