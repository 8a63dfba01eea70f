import type { ApiClient } from '../../support/api-client.js';
import { DirectoryRepository } from '../../../src/directory/index.js';
import { expectError } from '../../support/error-object.js';
import { TestService } from '../../support/test-service.js';

// What contract section 6 wants of every kind that is managed: one table over the kinds.

let service: TestService;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(`
    accounts:
      - slug: acme
        users:
          - { email: ada@acme.test, name: Ada King Lovelace }
          - { email: bob.stone@acme.test, name: Bob, limits: { day: 3, hour: 1 } }
          - { email: eve@north.test, name: Anna-Lena }
        teams: [{ name: Key Accounts, members: [ada@acme.test] }, { name: Nord, members: [eve@north.test] }]
        fields: [{ object_type: contacts, internal_name: score, label: Score, type: number }]
        capacities: [{ name: Open, object_type: contacts, field: city, values: [Paris] }]
        routers: [{ name: Inbound Leads, object_type: contacts, published: true, settings: {}, teams: [{ name: Nord }], users: [{ email: bob.stone@acme.test }] }]`);
  admin = await service.login('acme', ['manage', 'routers:read']);
});
afterAll(() => service.stop());

const KINDS = [
  ['users', { email: 'new@acme.test', limits: { month: 9, day: 2 } }, { name: 'Changed' }, 'name'],
  ['teams', { name: 'New', members: ['ada@acme.test'] }, { name: 'Changed' }, 'name'],
  ['fields', { object_type: 'contacts', internal_name: 'made', type: 'string' }, { label: 'Changed' }, 'label'],
  ['capacities', { name: 'New', object_type: 'contacts', field: 'city', values: ['Rome'] }, { name: 'Changed' }, 'name'],
  ['clients', { name: 'New', scope: 'dispatch' }, { name: 'Changed' }, 'name'],
  ['routers', { name: 'New', object_type: 'contacts', settings: {} }, { name: 'Changed' }, 'name'],
] as const; // prettier-ignore

const tag = ({ headers }: { headers: Headers }): string => headers.get('etag') ?? 'none';
const sending = (etag: string) => ({ headers: { 'If-Match': etag } });

/** How many entries the audit has of an object. */
const noted = async (id: string): Promise<number> =>
  (await admin.get(`/audit?limit=100&object=${id}`)).body.data.length;

describe.each(KINDS)('%s', (kind, body, changes, key) => {
  it('are changed only as If-Match says, and each change has another ETag [contract 6]', async () => {
    const created = await admin.post(`/${kind}`, body);
    expect([created.status, tag(created)]).toEqual([201, expect.stringMatching(/^"\d+-[0-9a-f]{8}"$/)]);
    const path = `/${kind}/${created.body.id}`;
    const read = await admin.get(path);
    expect((await admin.get(path, { headers: { 'If-None-Match': tag(read) } })).status).toBe(304);
    const changed = await admin.patch(path, changes, sending(tag(created)));
    expect([changed.status, changed.body[key]]).toEqual([200, 'Changed']);
    expect(tag(changed)).not.toBe(tag(read));
    const stale = await admin.patch(path, { [key]: 'Lost' }, sending(tag(read)));
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    expect((await admin.delete(path, sending(tag(read)))).status).toBe(412);
    expectError(await admin.patch(path, changes, sending('x')), 400, {
      message: 'If-Match must be * or ETags, in quotes',
      field: 'If-Match',
      errors: [{ field: 'If-Match', message: 'If-Match must be * or ETags, in quotes' }],
    });
    expect((await admin.patch(path, changes, sending('*'))).status).toBe(200);
    const now = await admin.get(`${path}${kind === 'routers' ? '?version=live' : ''}`);
    const gone = await admin.delete(path, sending(tag(now)));
    expect([gone.status, gone.body.archived]).toEqual([200, expect.any(String)]);
    expect(tag(gone)).not.toBe(tag(now));
  });

  it('are tried without being written: the same checks, the same answer, and what would change [contract 6]', async () => {
    const dry = '?dry_run=true';
    const before = (await admin.get(`/${kind}?limit=100`)).body;
    const named = { ...body, ...('internal_name' in body ? { internal_name: 'tried' } : { name: 'Tried' }) };
    const sent = kind === 'users' ? { ...named, email: 'tried@acme.test' } : named;
    const tried = await admin.post(`/${kind}${dry}`, sent);
    expect([tried.status, tried.headers.get('location')]).toEqual([201, null]);
    expect(tried.body.changes.length).toBeGreaterThan(0);
    expect((await admin.get(`/${kind}?limit=100`)).body).toEqual(before);
    expect((await admin.post(`/${kind}${dry}`, {})).status).toBe(400);

    const { body: made } = await admin.post(`/${kind}`, sent);
    const path = `/${kind}/${made.id}`;
    const read = await admin.get(path);
    const patched = await admin.patch(path + dry, { [key]: 'Other' });
    const prefix = kind === 'routers' ? /^(draft\.)?name$/ : new RegExp(`^${key}$`);
    expect([patched.status, patched.body[key], patched.body.changes]).toEqual([
      200,
      'Other',
      [{ path: expect.stringMatching(prefix), from: read.body[key], to: 'Other' }],
    ]);
    const archived = await admin.delete(path + dry);
    expect([archived.status, archived.body.archived]).toEqual([200, expect.any(String)]);
    expect(archived.body.changes).toEqual([{ path: 'archived', from: false, to: true }]);
    expect((await admin.get(path)).body).toEqual(read.body);
    expect(await noted(made.id)).toBe(1);
    expect((await admin.delete(`${path}?dry_run=maybe`)).body.field).toBe('dry_run');
    await admin.delete(path);
  });
});

describe('a list', () => {
  const NAMES = { users: 'email', teams: 'name', routers: 'name' } as const;

  it.each([
    ['users', 'ada', ['ada@acme.test']],
    ['users', 'LOVE', ['ada@acme.test']],
    ['users', 'king l', ['ada@acme.test']],
    ['users', 'stone', ['bob.stone@acme.test']],
    ['users', 'bob.stone@', ['bob.stone@acme.test']],
    ['users', 'lena', ['eve@north.test']],
    ['users', 'north', ['eve@north.test']],
    ['users', 'ne', []],
    ['users', '%', []],
    ['teams', 'acc', ['Key Accounts']],
    ['teams', 'key a', ['Key Accounts']],
    ['teams', 'ounts', []],
    ['routers', 'lead', ['Inbound Leads']],
    ['routers', 'in', ['Inbound Leads']],
    ['routers', 'bound', []],
  ] as const)('of %s with q=%s has those of whom a word begins so [contract 6]', async (kind, q, names) => {
    const { body } = await admin.get(`/${kind}?q=${encodeURIComponent(q)}`);
    expect(body.data.map((each: Record<string, string>) => each[NAMES[kind]])).toEqual(names);
    expect(body.pagination.count).toBe(names.length);
  });

  it('compares users as it compares names, and words end at what is neither letter nor digit [contract 3, contract 6]', async () => {
    const names = ['Jose\u0301 Ruiz', 'İstanbul', 'Strasse ẞ', "Pat O'Brien", 'Müller (Nord)', 'A/Zed', 'Ka\u00a0Lo', 'Ca\u200bfé'];
    const reader = await service.login('words', ['manage', 'routers:read']);
    for (const [index, name] of names.entries()) {
      for (const [kind, more] of [['users', { email: `u${index}@words.test` }], ['teams', {}], ['routers', { object_type: 'deals' }]] as const)
        expect((await reader.post(`/${kind}`, { name, ...more })).status).toBe(201);
    }
    const found = async (kind: string, q: string): Promise<number[]> =>
      (await reader.get(`/${kind}?q=${encodeURIComponent(q)}`)).body.data.map(({ name }: any) => names.indexOf(name));
    const SOUGHT: [q: string, index?: number][] = [
      ['josé', 0], ['JOSE\u0301 r', 0], ['jose\u0301-ruiz', 0], ['İst', 1], ['ß', 2], ['ss', 2], ['strasse (SS', 2], ['brien', 3],
      ["o'b", 3], ['o b', 3], ['nord', 4], ['(nord)', 4], ['mü', 4], ['ller'], ['zed', 5], ['a/z', 5], ['lo', 6], ['ka lo', 6],
      ['café', 7], ['fé'], ['.*'], ['[a-z]z'], ['|'],
    ];
    for (const kind of ['users', 'teams', 'routers'])
      for (const [q, index] of SOUGHT) expect([kind, q, await found(kind, q)]).toEqual([kind, q, index === undefined ? [] : [index]]);
  }); // prettier-ignore

  it('goes on behind a page of what q and team find [contract 6]', async () => {
    const { body: first } = await admin.get('/users?q=acme&limit=1');
    expect(first.pagination.count).toBe(2);
    const { body: second } = await admin.get(`/users?q=acme&limit=1&after=${first.pagination.next}`);
    expect(second.data.map(({ email }: any) => email)).toEqual(['bob.stone@acme.test']);
    expect(second.pagination.next).toBeNull();
    expect((await admin.get('/users?q=')).status).toBe(400);
    expect((await admin.get('/clients?q=x')).body.field).toBe('q');
  });

  it('of users has members of a team, and those whom a router lists [contract 6]', async () => {
    const emails = async (query: string): Promise<string[]> =>
      (await admin.get(`/users?${query}`)).body.data.map(({ email }: any) => email);
    const [{ id: team }] = (await admin.get('/teams?q=key')).body.data;
    const [{ id: router }] = (await admin.get('/routers?q=inbound')).body.data;
    expect(await emails(`team=${team}`)).toEqual(['ada@acme.test']);
    expect(await emails('team=key%20ACCOUNTS')).toEqual(['ada@acme.test']);
    expect(await emails(`router_id=${router}`)).toEqual(['bob.stone@acme.test', 'eve@north.test']);
    expect(await emails(`router_id=${router}&team=Nord`)).toEqual(['eve@north.test']);
    expect(await emails(`router_id=${team}`)).toEqual([]);
    expect(await emails('team=Nobody')).toEqual([]);
  });

  it('of users has those of some e-mails, archived ones where asked for [contract 6]', async () => {
    const emails = async (query: string): Promise<string[]> =>
      (await admin.get(`/users?${query}`)).body.data.map(({ email }: any) => email);
    expect(await emails('email=EVE@north.test,nobody@acme.test&email=ada@acme.test')).toEqual([
      'ada@acme.test',
      'eve@north.test',
    ]);
    expect(await emails('email=ada@acme.test,eve@north.test&team=Nord')).toEqual(['eve@north.test']);
    const { body: gone } = await admin.post('/users', { email: 'gone@acme.test' });
    await admin.delete(`/users/${gone.id}`);
    expect(await emails('email=gone@acme.test')).toEqual([]);
    expect(await emails('email=gone@acme.test&archived=true')).toEqual(['gone@acme.test']);
    expect((await admin.get('/users?email=')).body.field).toBe('email');
    expect((await admin.get('/teams?email=ada@acme.test')).body.field).toBe('email');
  });
});

describe('the scope directory:read', () => {
  it('reads those who are named, and not the whole directory [contract 6]', async () => {
    const reader = await service.login('acme', ['directory:read']);
    const [{ id }] = (await admin.get('/routers')).body.data;
    const [capacity] = (await admin.get('/capacities')).body.data;
    const whole = jest.spyOn(service.app.get(DirectoryRepository, { strict: false }), 'load');
    const paths = ['/users', '/teams', '/capacities', `/capacities/${capacity.id}`, `/routers/${id}/diff?from=1&to=live`];
    for (const path of paths) expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
    expect(whole).not.toHaveBeenCalled();
    whole.mockRestore();
  }); // prettier-ignore

  it('reads users, teams, capacities and versions of routers, and changes nothing [contract 6]', async () => {
    const reader = await service.login('acme', ['directory:read']);
    const [{ id }] = (await admin.get('/routers')).body.data;
    for (const path of ['/users', '/teams', '/capacities', `/routers/${id}/versions`, `/routers/${id}/diff?to=live`])
      expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
    for (const path of ['/clients', '/audit', '/fields', '/routers'])
      expect([path, (await reader.get(path)).status]).toEqual([path, 403]);
    expect((await reader.post('/teams', { name: 'X' })).body.message).toMatch(/manage$/);
  }); // prettier-ignore
});

describe('the versions of a router', () => {
  it('are compared as the audit tells changes [contract 6]', async () => {
    const { body: made } = await admin.post('/routers', {
      name: 'R',
      object_type: 'deals',
      settings: {},
      users: [{ email: 'bob.stone@acme.test' }],
    });
    const path = `/routers/${made.id}`;
    await admin.post(`${path}/publish`);
    expect((await admin.get(`${path}/diff`)).status).toBe(404);
    await admin.patch(path, { settings: { overwrite: true }, users: [{ email: 'ada@acme.test' }] });
    const { body } = await admin.get(`${path}/diff`);
    expect(body).toEqual({
      changes: [
        { path: 'settings.overwrite', from: false, to: true },
        { path: 'users[bob.stone@acme.test]', from: { email: 'bob.stone@acme.test' }, to: null },
        { path: 'users[ada@acme.test]', from: null, to: { email: 'ada@acme.test' } },
      ],
    });
    await admin.post(`${path}/publish`);
    expect((await admin.get(`${path}/diff?from=1&to=2`)).body).toEqual(body);
    expect((await admin.get(`${path}/diff?from=2&to=live`)).body).toEqual({ changes: [] });
    expect((await admin.get(`${path}/diff?from=7&to=live`)).status).toBe(404);
    expect((await admin.get(`${path}/diff?from=x&to=y`)).body.errors).toHaveLength(2);
  });

  it('are not published where the draft was changed meanwhile [contract 6]', async () => {
    const { body: made } = await admin.post('/routers', { name: 'Meanwhile', object_type: 'deals', settings: {} });
    const path = `/routers/${made.id}`;
    await admin.post(`${path}/publish`);
    const draft = await admin.patch(path, { settings: { overwrite: true } });
    await admin.patch(path, { settings: { overwrite: false, rotation_type: 'teams' } });
    const stale = await admin.post(`${path}/publish`, {}, sending(tag(draft)));
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    const now = await admin.get(`${path}?version=draft`);
    const tried = await admin.post(`${path}/publish?dry_run=true`, { note: 'x' }, sending(tag(now)));
    expect(tried.body.changes).toContainEqual({ path: 'version', from: 1, to: 2 });
    expect((await admin.get(`${path}/versions`)).body.pagination.count).toBe(1);
    expect((await admin.post(`${path}/publish`, {}, sending(tag(now)))).status).toBe(200);
    expect((await admin.post(`${path}/rollback`, { version: 1 }, sending(tag(now)))).status).toBe(412);
  }); // prettier-ignore
});

it('the secret of a client is not replaced for whoever knows another state of it [contract 6]', async () => {
  const { body: client } = await admin.post('/clients', { name: 'Rotated' });
  const path = `/clients/${client.id}`;
  const read = await admin.get(path);
  const tried = await admin.post(`${path}/rotate?dry_run=true`, { overlap_seconds: 9 });
  const changes = [{ path: 'overlap_seconds', from: null, to: 9 }];
  expect(tried.body).toEqual({ client_id: client.id, changes });
  expect((await admin.post(`${path}/rotate`, {}, sending(tag(read)))).status).toBe(200);
  expect((await admin.post(`${path}/rotate`, {}, sending(tag(read)))).status).toBe(412);
});
