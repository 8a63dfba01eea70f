import { SCOPES } from '../../../src/auth/index.js';
import type { ApiClient } from '../../support/api-client.js';
import { cookieOf, linkFor, OF_PAGE, Person } from '../../support/person.js';
import { TestProvider, type Claims } from '../../support/provider.js';
import { rawRequest, type RawResponse } from '../../support/raw-request.js';
import { TestService } from '../../support/test-service.js';

let provider: TestProvider;
let service: TestService;
let admin: ApiClient;
let round = 0;

beforeAll(async () => {
  provider = await TestProvider.start();
  service = await TestService.start({ env: provider.settings });
  await service.apply(`
    accounts:
      - slug: acme
        users: [{ email: ada@acme.test, name: Ada }]
        members: [{ email: ada@acme.test, role: manager }]
        console_roles: [{ group: sales, role: viewer }, { group: ops, role: admin }]
      - slug: north
        members: [{ email: ada@acme.test, role: viewer }]
      - slug: south`);
  admin = await service.login('acme', SCOPES);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

const newEmail = (): string => `p${++round}@acme.test`;
const newPerson = (more: Partial<Claims> = {}): Claims => ({
  sub: `s${++round}`,
  email: newEmail(),
  email_verified: true,
  ...more,
});

const get = (path: string, cookie = ''): Promise<RawResponse> =>
  rawRequest(service.anonymous, 'GET', path, { headers: { Cookie: cookie } });

/** A sign-in that has begun: where the browser is sent, and its cookie. */
async function begin(query = ''): Promise<{ url: string; cookie: string; set: string }> {
  const { status, headers } = await get(`/console/oidc/start${query}`);
  expect(status).toBe(302);
  const [url, set] = [headers.get('location')!, headers.get('set-cookie')!];
  return { url, cookie: cookieOf({ headers }, 'fairlead-sign-in')!, set };
}

/** The cookie of a sign-in, of which one part is another. */
function changed(cookie: string, part: number): string {
  const [name, value] = cookie.split('=') as [string, string];
  const parts = JSON.parse(Buffer.from(value, 'base64url').toString());
  parts[part] = 'x'.repeat(43);
  return `${name}=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`;
}

const back = ({ pathname, search }: URL): string => pathname + search;

/** Enters as somebody. @returns the last answer */
async function enter(person: Claims, query = ''): Promise<RawResponse> {
  provider.person = person;
  const { url, cookie } = await begin(query);
  return get(back(await provider.signIn(url)), cookie);
}

/** Where the browser is sent at last. */
const place = ({ headers }: RawResponse): string | null => headers.get('location');
const refused = (why: string): string => `/console/enter?refused=${why}`;
const personOf = ({ headers }: RawResponse): Person => new Person(service.url, cookieOf({ headers })!);
const invite = async (email: string, role = 'viewer'): Promise<string> =>
  (await admin.post('/members', { email, role })).body.id;

describe('a person whom the provider names', () => {
  it('enters as the member with the verified e-mail, and opens the page that was asked for [contract 12]', async () => {
    const sub = `s${++round}`;
    const first = await enter({ sub, email: 'Ada@ACME.test', email_verified: true }, '?to=/console/routers/7%3Fat=1');
    expect([first.status, place(first)]).toEqual([302, '/console/routers/7?at=1']);
    expect(first.headers.get('set-cookie')).toMatch(
      /^fairlead=[\w-]{64}; Path=\/; HttpOnly; SameSite=Lax, ?fairlead-sign-in=; Path=\/; HttpOnly; SameSite=Lax; Max-Age=0$/,
    );
    const person = personOf(first);
    const { body: session } = await person.get('/console/session');
    expect([session.oidc, session.accounts.map(({ slug }: any) => slug)]).toEqual([true, ['acme', 'north']]);
    // From now on the provider's name alone tells who it is.
    const again = personOf(await enter({ sub, email: 'other@acme.test', email_verified: false }));
    expect((await again.get('/me')).body).toMatchObject({ email: 'ada@acme.test', user: { name: 'Ada' } });
    const other = await enter({ sub: `s${++round}`, email: 'ada@acme.test', email_verified: true });
    expect(place(other)).toBe(refused('other_person'));
    expect(other.headers.get('set-cookie')).toBeNull();
    const { id } = (await again.get('/me')).body;
    const audit = (await admin.get(`/audit?object=${id}`)).body.data;
    expect(audit.map(({ action, by }: any) => [action, by.kind, by.name])).toEqual([
      ['refuse', 'user', 'ada@acme.test'],
      ['enter', 'user', 'ada@acme.test'],
      ['enter', 'user', 'ada@acme.test'],
      ['update', 'command', 'OpenID Connect'],
      ['create', 'command', 'apply'],
    ]);
  }); // prettier-ignore

  it('changes to another account of theirs, and to no other [contract 12]', async () => {
    const person = newPerson();
    await invite(String(person.email));
    const { accountId } = await service.account('north');
    const north = await service.login('north', SCOPES);
    await north.post('/members', { email: person.email, role: 'admin' });
    const before = personOf(await enter(person));
    const own = (await before.get('/me')).body.account.slug;
    const other = own === 'north' ? (await service.account('acme')).accountId : accountId;
    const changed = await before.post('/console/session', { account: other });
    expect(changed.status).toBe(200);
    const after = new Person(service.url, cookieOf(changed)!);
    expect((await after.get('/me')).body.account.id).toBe(other);
    const south = await service.account('south');
    expect((await after.post('/console/session', { account: south.accountId })).status).toBe(400);
    // Whoever has entered by a link may be anybody to whom the admin of this account has given it.
    const linked = await Person.enter(service, 'acme', { email: String(person.email) });
    expect((await linked.get('/console/session')).body.accounts).toEqual([]);
    expect((await linked.post('/console/session', { account: accountId })).status).toBe(400);
  });

  it.each([
    ['not verified', { email_verified: false }, 'unverified'],
    ['not said to be verified', { email_verified: undefined }, 'unverified'],
    ['verified by a word', { email_verified: 'true' }, 'unverified'],
    ['not there', { email: undefined }, 'unknown'],
    ['that of nobody', { email: 'nobody@acme.test' }, 'unknown'],
    ['none', { email: 7 }, 'unknown'],
    ['not to be stored', { email: 'a\0@acme.test' }, 'unknown'],
  ])('does not enter by an e-mail that is %s [contract 12]', async (_, claims, why) => {
    const person = newPerson();
    await invite(String(person.email));
    expect(place(await enter({ ...person, ...claims }))).toBe(refused(why));
    expect(place(await enter(person))).toBe('/console/');
  });

  it('gets the greatest role of their groups, which follows the groups until somebody sets another [contract 12]', async () => {
    const person = newPerson({ groups: ['sales', 'other', 'ops', 7, null] });
    const role = async (claims: Claims): Promise<string> => {
      const answer = await enter(claims);
      return place(answer) === '/console/' ? (await personOf(answer).get('/me')).body.role : place(answer)!;
    };
    expect(await role(person)).toBe('admin');
    expect(await role({ ...person, groups: 'sales' })).toBe('viewer');
    expect(await role({ ...person, groups: [] })).toBe(refused('no_role'));
    expect(await role({ ...person, groups: ['sales'] })).toBe('viewer');
    const [{ id }] = (await admin.get(`/members?q=${String(person.email)}`)).body.data;
    await admin.patch(`/members/${id}`, { role: 'manager' });
    expect(await role({ ...person, groups: [] })).toBe('manager');
    expect(await role(newPerson({ groups: ['sales'], email_verified: false }))).toBe(refused('unverified'));
    expect(await role(newPerson({ groups: ['Sales', 'sales '] }))).toBe(refused('unknown'));
  }); // prettier-ignore

  it('becomes one member however many windows they enter in at once [contract 12]', async () => {
    for (const person of [newPerson({ groups: ['ops'] }), newPerson()]) {
      provider.person = person;
      if (person.groups === undefined) await invite(String(person.email));
      const ways = [];
      for (let count = 0; count < 6; count++) {
        const { url, cookie } = await begin();
        ways.push([back(await provider.signIn(url)), cookie] as const);
      }
      const answers = await Promise.all(ways.map(([path, cookie]) => get(path, cookie)));
      expect(answers.map(place)).toEqual(Array(6).fill('/console/'));
      const ids = await Promise.all(answers.map(async (each) => (await personOf(each).get('/me')).body.id));
      expect(new Set(ids).size).toBe(1);
      expect((await admin.get(`/members?q=${String(person.email)}`)).body.data).toHaveLength(1);
    }
  });

  it('who is archived is refused, also by a group and another e-mail, and enters when invited again [contract 12]', async () => {
    const person = newPerson({ groups: ['ops'] });
    const entered = personOf(await enter(person));
    const { id } = (await entered.get('/me')).body;
    await admin.delete(`/members/${id}`);
    expect(place(await enter(person))).toBe(refused('archived'));
    const renamed = { ...person, email: newEmail() };
    expect(place(await enter(renamed))).toBe(refused('archived'));
    await invite(renamed.email, 'manager');
    expect((await personOf(await enter(renamed)).get('/me')).body).toMatchObject({ email: renamed.email, role: 'manager' });
    // The member of before comes back for whoever has the e-mail now.
    await invite(String(person.email));
    expect((await personOf(await enter(newPerson({ email: person.email }))).get('/me')).body.id).toBe(id);
  }); // prettier-ignore

  it('is not let in any more where the member gets another e-mail [contract 12]', async () => {
    const [old, next] = [newPerson(), newPerson()];
    const id = await invite(String(old.email));
    expect(place(await enter(old))).toBe('/console/');
    await admin.patch(`/members/${id}`, { email: next.email });
    expect(place(await enter(old))).toBe(refused('unknown'));
    expect((await personOf(await enter(next)).get('/me')).body.id).toBe(id);
  });

  it('does not enter a suspended account [contract 12]', async () => {
    const person = newPerson();
    const by = { email: String(person.email) };
    await linkFor(service, 'south', by);
    await service.apply('accounts: [{ slug: south, suspended: true }]');
    expect(place(await enter(person))).toBe(refused('unknown'));
    await service.apply('accounts: [{ slug: south, suspended: false }]');
    expect(place(await enter(person))).toBe('/console/');
  });

  it('who says no at the provider is told so [contract 12]', async () => {
    expect(place(await enter({ sub: 'denied' }))).toBe(refused('denied'));
  });
});

describe('a sign-in', () => {
  const person = newPerson();
  beforeAll(() => invite(String(person.email)));
  beforeEach(() => (provider.person = person));

  it('asks for a code with PKCE, state and nonce, and keeps them for ten minutes [contract 12]', async () => {
    const { url, set } = await begin();
    const { origin, searchParams } = new URL(url);
    expect([origin, Object.fromEntries(searchParams)]).toEqual([
      provider.issuer,
      {
        client_id: 'fairlead',
        response_type: 'code',
        redirect_uri: 'http://localhost:7777/console/oidc/callback',
        scope: 'openid email profile',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      },
    ]);
    expect(set).toMatch(/^fairlead-sign-in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
  });

  it('ends once, in the browser that has begun it [contract 12]', async () => {
    const { url, cookie } = await begin();
    const path = back(await provider.signIn(url));
    expect(place(await get(path))).toBe(refused('failed'));
    expect(place(await get(path, (await begin()).cookie))).toBe(refused('failed'));
    const both = await Promise.all([get(path, cookie), get(path, cookie)]);
    expect(both.map(place).sort()).toEqual(['/console/', refused('failed')]);
    expect(place(await get(path, cookie))).toBe(refused('failed'));
  });

  it.each([
    ['another state', 'state', 'x'],
    ['no state', 'state', undefined],
    ['another code', 'code', 'x'],
    ['another issuer', 'iss', 'https://evil.test'],
    ['an error', 'error', 'server_error'],
  ])('fails with %s [contract 12]', async (_, name, value) => {
    const { url, cookie } = await begin();
    const to = await provider.signIn(url);
    if (value === undefined) to.searchParams.delete(name);
    else to.searchParams.set(name, value);
    expect(place(await get(back(to), cookie))).toBe(refused('failed'));
  });

  it.each([
    ['nonce', 1],
    ['verifier', 2],
  ])('fails where the provider tells another %s [contract 12]', async (_, part) => {
    const { url, cookie } = await begin();
    const to = await provider.signIn(url);
    expect(place(await get(back(to), changed(cookie, part)))).toBe(refused('failed'));
  });

  it('opens the first page where no cookie keeps the one that was asked for, or another site [contract 12]', async () => {
    const { url, cookie } = await begin(`?to=/console/?${'x'.repeat(5_000)}`);
    expect(cookie.length).toBeLessThan(4_000);
    expect(place(await get(back(await provider.signIn(url)), cookie))).toBe('/console/');
    const other = await begin();
    const answer = await get(back(await provider.signIn(other.url)), changed(other.cookie, 3));
    expect(place(answer)).toBe('/console/');
  }); // prettier-ignore

  it.each(['e30', 'bnVsbA', 'WzFd', 'x'])('is none by the cookie %j [contract 12]', async (value) => {
    const { url } = await begin();
    const answer = await get(back(await provider.signIn(url)), `fairlead-sign-in=${value}`);
    expect(place(answer)).toBe(refused('failed'));
  });

  it.each([
    '//evil.test', 'https://evil.test/console/', '/console', '/docs', '/console/../docs', '/console/..//evil.test', '/console/%2e%2e/docs',
    '\\\\evil.test', '/\\evil.test', '/console/\\..\\..\\docs', 'javascript:alert(1)', ' /console/', '',
  ])('opens a page of the console alone, and not %j [contract 12]', async (to) => {
    const { status, body } = await get(`/console/oidc/start?to=${encodeURIComponent(to)}`);
    expect([status, body.field]).toEqual([400, 'to']);
  }); // prettier-ignore

  it('that nobody comes back from is refused where it is guessed, with 429 in other words after many [contract 12]', async () => {
    const own = await TestService.start({
      database: service.database,
      env: { ...provider.settings, TOKEN_RATE_LIMIT_PER_ADDRESS: '3' },
    });
    const guess = (): Promise<RawResponse> =>
      rawRequest(own.anonymous, 'GET', '/console/oidc/callback?code=x&state=x', {
        headers: { Cookie: `fairlead-sign-in=${'a'.repeat(43)}` },
      });
    const words: (string | null)[] = [];
    for (let count = 0; count < 5; count++) words.push(place(await guess()));
    expect(words).toEqual([...Array(3).fill(refused('failed')), ...Array(2).fill(refused('rate_limited'))]);
    const start = (): Promise<RawResponse> => rawRequest(own.anonymous, 'GET', '/console/oidc/start');
    for (let count = 0; count < 30; count++) expect(place(await start())).toContain(provider.issuer);
    expect(place(await start())).toBe(refused('rate_limited'));
    const link = await own.anonymous.post('/console/session', { token: 'a'.repeat(64) }, { headers: OF_PAGE });
    expect([link.status, link.body.code]).toEqual([429, 'rate_limited']);
    const token = await linkFor(service, 'acme', { email: String(person.email) });
    expect((await own.anonymous.post('/console/session', { token }, { headers: OF_PAGE })).status).toBe(200);
    await own.stop();
  }); // prettier-ignore
});

describe('a provider that is away', () => {
  it('is told, and links go on to work; it is found again when it is back [contract 12]', async () => {
    const away = await TestProvider.start();
    await away.stop();
    const own = await TestService.start({ database: service.database, env: away.settings });
    const start = (): Promise<RawResponse> => rawRequest(own.anonymous, 'GET', '/console/oidc/start');
    expect(place(await start())).toBe(refused('unavailable'));
    await Person.enter(own, 'acme', { email: newEmail() });
    await own.stop();
    const none = await TestService.start({ database: service.database });
    expect((await rawRequest(none.anonymous, 'GET', '/console/oidc/start')).status).toBe(404);
    await none.stop();
  });
});
