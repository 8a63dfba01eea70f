import { SCOPES } from '../../../src/auth/index.js';
import { PeopleRepository } from '../../../src/auth/people/people.repository.js';
import { Sessions } from '../../../src/auth/people/sessions.js';
import { ConsoleSweep } from '../../../src/console/console-sweep.js';
import type { ApiClient } from '../../support/api-client.js';
import { sql } from '../../support/database/stored-records.js';
import { cookieOf, linkFor, OF_PAGE, Person } from '../../support/person.js';
import { TestService } from '../../support/test-service.js';
import { waitFor } from '../../support/wait-for.js';

let service: TestService;
let admin: ApiClient;
let round = 0;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`
    accounts:
      - slug: acme
        users: [{ email: ada@acme.test, name: Ada Lovelace }]
        members: [{ email: ada@acme.test, role: viewer }]`);
  admin = await service.login('acme', SCOPES);
});
afterAll(() => service.stop());

const newEmail = (): string => `p${++round}@acme.test`;
const enter = (token: string, headers: object = {}): ReturnType<ApiClient['post']> =>
  service.anonymous.post('/console/session', { token }, { headers: { ...OF_PAGE, ...headers } });
const link = (email = newEmail()): Promise<string> => linkFor(service, 'acme', { email, role: 'viewer' });
const memberId = async (email: string): Promise<string> =>
  (await admin.get(`/members?q=${email}`)).body.data[0].id;
const entries = async (id: string): Promise<unknown[]> =>
  (await admin.get(`/audit?object=${id}`)).body.data.map(
    ({ action, by }: { action: string; by: { kind: string; name: string } }) => [action, by.kind, by.name],
  );

describe('a one-time link', () => {
  it('lets its member enter once, with a cookie that no script and no other site has [contract 12]', async () => {
    const token = await linkFor(service, 'acme', { email: 'ADA@acme.test' });
    expect(token).toMatch(/^[\w-]{64}$/);
    const entered = await enter(token);
    expect(entered.body).toEqual({
      signed_in: true,
      idle_until: expect.any(String),
      ends_at: expect.any(String),
      oidc: false,
      accounts: [],
    });
    const hours = (Date.parse(entered.body.ends_at) - Date.parse(entered.body.idle_until)) / 3_600_000;
    expect(hours).toBeCloseTo(11, 3);
    expect(entered.headers.get('set-cookie')).toMatch(
      /^fairlead=[\w-]{64}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const me = (await new Person(service.url, cookieOf(entered)!).get('/me')).body;
    expect(me).toEqual({
      kind: 'user',
      id: await memberId('ada@acme.test'),
      name: 'Ada Lovelace',
      email: 'ada@acme.test',
      role: 'viewer',
      user: { id: expect.any(String), email: 'ada@acme.test', name: 'Ada Lovelace' },
      scopes: ['records:read', 'routers:read', 'directory:read'],
      account: { id: expect.any(String), slug: service.slug('acme'), name: service.slug('acme') },
      release: '0.1.0',
    });
    expect((await enter(token)).status).toBe(401);
    expect(await entries(me.id)).toEqual([
      ['enter', 'user', 'ada@acme.test'],
      ['link', 'command', 'console link'],
      ['create', 'command', 'apply'],
    ]);
  });

  it('that 32 use at once lets one of them enter [contract 12]', async () => {
    const token = await link();
    const answers = await Promise.all(Array.from({ length: 32 }, () => enter(token)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 31 }, () => 401)]);
  });

  it('is not used up by a GET, and not by what no page has sent [contract 12]', async () => {
    const token = await link();
    expect((await service.anonymous.get('/console/session')).body.signed_in).toBe(false);
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'X-Fairlead-Console': '0' }]) {
      expect((await enter(token, headers)).status).toBe(401);
    }
    const raw = `token=${token}`;
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const posted = await service.anonymous.post('/console/session', undefined, { raw, headers: form });
    expect(posted.status).toBe(415);
    expect((await enter(token)).status).toBe(200);
  });

  it('that is late is refused, which the audit tells, and is swept away [contract 12]', async () => {
    const email = newEmail();
    const [late, swept] = [await link(email), await link(email)];
    await sql(service, `UPDATE console_links SET ends_at = now() - interval '1 second'`);
    expect((await enter(late)).status).toBe(401);
    expect((await entries(await memberId(email)))[0]).toEqual(['refuse', 'user', email]);
    await service.app.get(ConsoleSweep, { strict: false }).sweep();
    expect(await sql(service, 'SELECT FROM console_links WHERE ends_at < now()')).toEqual([]);
    expect((await enter(swept)).status).toBe(401);
  });

  it('is made by request for an active member, and for no other account [contract 12]', async () => {
    const { body: member } = await admin.post('/members', { email: newEmail(), role: 'manager' });
    const made = await admin.post(`/members/${member.id}/link`);
    expect([made.status, made.body.url]).toEqual([
      201,
      expect.stringMatching(/^http:\/\/localhost:3000\/console\/enter#[\w-]{64}$/),
    ]);
    const minutes = (Date.parse(made.body.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14);
    const stranger = await service.login('other', SCOPES);
    expect((await stranger.post(`/members/${member.id}/link`)).status).toBe(404);
    await admin.delete(`/members/${member.id}`);
    expect((await admin.post(`/members/${member.id}/link`)).status).toBe(409);
    expect((await enter(made.body.url.split('#')[1])).status).toBe(401);
    const plain = await service.login('acme', ['routers:read']);
    expect((await plain.post(`/members/${member.id}/link`)).body.code).toBe('insufficient_scope');
  });

  it.each(['', 'x', 'a'.repeat(64), 'a'.repeat(101), 'a'.repeat(43), 'ü'.repeat(64), 7, null, {}, ['a']])(
    'is none: %j [contract 12]',
    async (token) => {
      const { status, headers } = await enter(token as string);
      expect([400, 401]).toContain(status);
      expect(headers.get('set-cookie')).toBeNull();
    },
  );

  it('of another form asks the database nothing, as a link and as a session [contract 12]', async () => {
    const people = service.app.get(PeopleRepository, { strict: false });
    const finds = [jest.spyOn(people, 'findLinks'), jest.spyOn(people, 'findSessions')];
    const calls = (): number[] => finds.map(({ mock }) => mock.calls.length);
    const send = async (token: string): Promise<void> => {
      expect((await enter(token)).status).toBe(401);
      expect((await new Person(service.url, `fairlead=${token}`).get('/me')).status).toBe(401);
    };
    for (const length of [1, 43, 63, 65]) await send('b'.repeat(length));
    await send('b'.repeat(63) + '.');
    expect(calls()).toEqual([0, 0]);
    await send('b'.repeat(64));
    expect(calls()).toEqual([1, 1]);
  });

  it('is beside a token or an account, and needs one of them [contract 12]', async () => {
    const { anonymous } = service;
    for (const body of [{}, { token: 'x', account: 'x' }, { other: 1 }, 7]) {
      expect((await anonymous.post('/console/session', body, { headers: OF_PAGE })).status).toBe(400);
    }
  });
});

describe('a request of a person', () => {
  let person: Person;
  beforeAll(async () => (person = await Person.enter(service, 'acme', { email: newEmail(), role: 'admin' })));

  it('is one that a page of the console sends, and no other [contract 12]', async () => {
    const { host } = new URL(service.url);
    const by = (headers: Record<string, string>): Promise<number> =>
      person.sending(headers).get('/contacts').then(({ status }) => status); // prettier-ignore
    const page = { 'X-Fairlead-Console': '1' };
    expect(await by(OF_PAGE)).toBe(200);
    expect(await by({ ...page, Origin: `http://${host}` })).toBe(200);
    expect(await by({ ...OF_PAGE, Origin: 'https://evil.test' })).toBe(200);
    for (const headers of [
      {},
      page,
      { 'Sec-Fetch-Site': 'same-origin' },
      { ...OF_PAGE, 'X-Fairlead-Console': '2' },
      { ...page, 'Sec-Fetch-Site': 'same-site' },
      { ...page, 'Sec-Fetch-Site': 'cross-site', Origin: `http://${host}` },
      { ...page, 'Sec-Fetch-Site': 'none' },
      { ...page, Origin: 'https://evil.test' },
      { ...page, Origin: 'null' },
      { ...page, Origin: `http://${host}.evil.test` },
    ]) {
      expect([headers, await by(headers)]).toEqual([headers, 401]);
    }
  });

  it('is that of the client where there is a bearer token, right or wrong [contract 12]', async () => {
    const [right, wrong] = [`Bearer ${admin.token}`, 'Bearer x'];
    const me = await person.get('/me', { headers: { Authorization: right } });
    expect([me.body.kind, me.body.email, me.body.role, me.body.user]).toEqual(['client', null, null, null]);
    expect((await person.get('/me', { headers: { Authorization: wrong } })).status).toBe(401);
    expect((await person.get('/me', { headers: { Authorization: '' } })).status).toBe(401);
  });

  it('has the limit of its session [contract 12]', async () => {
    const other = await Person.enter(service, 'acme', { email: newEmail() });
    const left = async (one: Person): Promise<number> =>
      Number((await one.get('/me')).headers.get('ratelimit-remaining'));
    const before = await left(other);
    await left(person);
    expect(await left(other)).toBe(before - 1);
  });

  it('makes the person the author [contract 7, contract 12]', async () => {
    const { id, email: name } = (await person.get('/me')).body;
    const { body: contact } = await person.post('/contacts', { fields: { first_name: 'Eve' } });
    const [change] = (await person.get(`/contacts/${contact.id}/history`)).body.data;
    expect(change.by).toEqual({ kind: 'user', id, name });
    expect((await person.delete(`/contacts/${contact.id}`)).body.archived_by).toBe(id);
    const { body: team } = await person.post('/teams', { name: 'By a person' });
    const [entry] = (await person.get(`/audit?by=${id}&object=${team.id}`)).body.data;
    expect(entry.by).toEqual({ kind: 'user', id, name });
    const { body: router } = await person.post('/routers', {
      name: 'R',
      object_type: 'contacts',
      settings: {},
    });
    await person.post(`/routers/${router.id}/publish`, { note: 'x' });
    const [version] = (await person.get(`/routers/${router.id}/versions`)).body.data;
    expect(version.published_by).toEqual({ kind: 'user', id, name });
    expect((await person.delete(`/routers/${router.id}`)).body.archived_by).toBe(id);
  });

  it('with an idempotency key is done once for the member, whatever the session [contract 7, contract 12]', async () => {
    const { email } = (await person.get('/me')).body;
    const again = await Person.enter(service, 'acme', { email });
    const key = { headers: { 'Idempotency-Key': `k${round}` } };
    const first = await person.post('/contacts', { fields: { first_name: 'Once' } }, key);
    const second = await again.post('/contacts', { fields: { first_name: 'Once' } }, key);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('is not let in from other origins by CORS [contract 1, contract 12]', async () => {
    const { headers } = await person.get('/me', { headers: { Origin: 'https://evil.test' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});

/** Lets the service ask for a session again, which it would do within 2 s. */
const forget = ({ cookie }: Person): void =>
  service.app.get(Sessions, { strict: false }).forget({ headers: { cookie, host: 'localhost' } });

const expectEnded = async (person: Person): Promise<void> => {
  forget(person);
  expect((await person.get('/me')).status).toBe(401);
};

describe('a session', () => {
  it('has a new secret at each sign-in, and the one before ends [contract 12]', async () => {
    const person = await Person.enter(service, 'acme', { email: newEmail() });
    const again = await person.post('/console/session', { token: await link() });
    expect(cookieOf(again)).not.toBe(person.cookie);
    await expectEnded(person);
    const fixed = new Person(service.url, `fairlead=${'a'.repeat(64)}`);
    const entered = await fixed.post('/console/session', { token: await link() });
    expect(cookieOf(entered)).not.toBe(fixed.cookie);
    expect((await fixed.get('/me')).status).toBe(401);
  });

  it('ends at once where it leaves, in other windows too, and the audit tells it [contract 12]', async () => {
    const person = await Person.enter(service, 'acme', { email: newEmail() });
    const { id, email } = (await person.get('/me')).body;
    expect((await person.sending({}).delete('/console/session')).status).toBe(401);
    const left = await person.delete('/console/session');
    expect([left.status, left.headers.get('set-cookie')]).toEqual([
      204,
      'fairlead=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
    expect((await person.get('/me')).status).toBe(401);
    expect((await person.get('/console/session')).body.signed_in).toBe(false);
    expect((await person.delete('/console/session')).status).toBe(204);
    expect((await entries(id))[0]).toEqual(['leave', 'user', email]);
  });

  it('that is forgotten while it is looked for answers all the same [contract 12]', async () => {
    const { cookie } = await Person.enter(service, 'acme', { email: newEmail() });
    const headers = { cookie, host: 'localhost' };
    const sessions = service.app.get(Sessions, { strict: false });
    const found = sessions.ofCookie({ headers });
    sessions.forget({ headers });
    expect(await found).toMatchObject({ role: 'viewer' });
  });

  it.each([
    ['an archived member', (id: string) => admin.delete(`/members/${id}`)],
    ['a changed role', (id: string) => admin.patch(`/members/${id}`, { role: 'manager' })],
    ['an admin who ends it', (id: string) => admin.delete(`/members/${id}/sessions`)],
    ['another e-mail', (id: string) => admin.patch(`/members/${id}`, { email: newEmail() })],
  ] as const)('ends by %s [contract 12]', async (_, change) => {
    const person = await Person.enter(service, 'acme', { email: newEmail(), role: 'viewer' });
    const { id, email } = (await person.get('/me')).body;
    const unused = await link(email);
    await change(id);
    await expectEnded(person);
    expect((await enter(unused)).status).toBe(401);
  });

  it('is ended by an admin in all browsers of that member alone, who may enter again [contract 12]', async () => {
    const email = newEmail();
    const browsers = [
      await Person.enter(service, 'acme', { email }),
      await Person.enter(service, 'acme', { email }),
    ];
    const other = await Person.enter(service, 'acme', { email: newEmail() });
    const { id } = (await browsers[0]!.get('/me')).body;
    const route = `/members/${id}/sessions`;
    expect((await (await service.login('other', SCOPES)).delete(route)).status).toBe(404);
    const ended = await admin.delete(route);
    expect([ended.status, ended.body]).toEqual([200, { ended: 2 }]);
    for (const browser of browsers) await expectEnded(browser);
    expect((await other.get('/me')).status).toBe(200);
    expect((await entries(id))[0]).toEqual(['sign_out', 'client', expect.any(String)]);
    expect((await (await Person.enter(service, 'acme', { email })).get('/me')).status).toBe(200);
    expect((await admin.delete(route)).body).toEqual({ ended: 1 });
    await admin.delete(`/members/${id}`);
    expect((await admin.delete(route)).status).toBe(409);
  });

  it('of an archived member does not come back with the member [contract 12]', async () => {
    const person = await Person.enter(service, 'acme', { email: newEmail() });
    const { id, email } = (await person.get('/me')).body;
    await admin.delete(`/members/${id}`);
    await waitFor('the session to end', async () => (await person.get('/me')).status === 401);
    const back = await admin.post('/members', { email, role: 'viewer' });
    expect([back.status, back.body.id]).toEqual([201, id]);
    await expectEnded(person);
  });

  it('ends with its account, and where nobody has used it for an hour or it is 12 hours old [contract 12]', async () => {
    for (const change of [`seen_at = now() - interval '61 minutes'`, `ends_at = now()`]) {
      const person = await Person.enter(service, 'acme', { email: newEmail() });
      const { id } = (await person.get('/me')).body;
      await sql(service, `UPDATE console_sessions SET ${change} WHERE member_id = '${id}'`);
      await expectEnded(person);
    }
    await service.apply('accounts: [{ slug: gone, suspended: false }]');
    const person = await Person.enter(service, 'gone', { email: newEmail() });
    await service.apply('accounts: [{ slug: gone, suspended: true }]');
    await expectEnded(person);
  });

  it('goes on by requests, which are noted at most once a minute, and not by asking for it or by a page that nobody touches [contract 12]', async () => {
    const person = await Person.enter(service, 'acme', { email: newEmail() });
    const { id } = (await person.get('/me')).body;
    const old = `UPDATE console_sessions SET seen_at = now() - interval '30 minutes' WHERE member_id = '${id}'`;
    const age = async (): Promise<number> => {
      const [row] = await sql<{ age: number }>(
        service,
        `SELECT extract(epoch FROM now() - seen_at)::float AS age FROM console_sessions WHERE member_id = '${id}'`,
      );
      return row!.age;
    };
    await sql(service, old);
    forget(person);
    await person.get('/console/session');
    await person.sending({ ...OF_PAGE, 'X-Fairlead-Idle': '1' }).get('/me');
    expect(await age()).toBeGreaterThan(1_700);
    forget(person);
    await Promise.all(Array.from({ length: 8 }, () => person.get('/me')));
    const noted = await age();
    expect(noted).toBeLessThan(60);
    forget(person);
    await person.get('/me');
    expect(await age()).toBeGreaterThanOrEqual(noted);
    const { body: member } = await admin.get(`/members/${id}`);
    expect(Date.now() - Date.parse(member.last_seen_at)).toBeLessThan(60_000);
  });

  it('is of one account alone [contract 12]', async () => {
    const person = await Person.enter(service, 'acme', { email: newEmail() });
    await linkFor(service, 'other', { email: (await person.get('/me')).body.email, role: 'admin' });
    const { accountId } = await service.account('other');
    const answer = await person.post('/console/session', { account: accountId });
    expect([answer.status, answer.body.field]).toEqual([400, 'account']);
  });
});
