import type { ApiClient } from '../../support/api-client.js';
import { expectInvalid } from '../../support/error-object.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.shared();
  await service.apply(
    `accounts: [{ slug: acme, users: [{ email: ada@acme.test }, { email: bob@acme.test }] }]`,
  );
  admin = await service.login('acme', ['manage']);
});
afterAll(() => service.stop());

const audit = async (query = ''): Promise<any[]> => (await admin.get(`/audit?limit=100${query}`)).body.data;

describe('the audit', () => {
  it('has an entry for every change of a file, by the command [contract 6]', async () => {
    const entries = await audit('&by=apply&object=user');
    expect(entries.map(({ object }) => object.name)).toEqual(['bob@acme.test', 'ada@acme.test']);
    expect(entries[0]).toMatchObject({
      by: { kind: 'command', id: null, name: 'apply' },
      action: 'create',
      object: { kind: 'user', id: expect.any(String) },
      changes: [{ path: 'email', from: null, to: 'bob@acme.test' }],
      request_id: null,
    });
  });

  it('says by which client and request a value became another [contract 6]', async () => {
    const { body: user } = await admin.post('/users', { email: 'eve@acme.test' });
    await admin.patch(`/users/${user.id}`, { name: 'Eve' }, { headers: { 'X-Request-Id': 'my-request' } });
    const [entry, ...rest] = await audit(`&object=${user.id}`);
    expect(rest).toHaveLength(1);
    expect(entry).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      by: { kind: 'client', id: expect.any(String), name: 'Test' },
      action: 'update',
      object: { kind: 'user', id: user.id, name: 'eve@acme.test' },
      changes: [{ path: 'name', from: null, to: 'Eve' }],
      request_id: 'my-request',
    });
    expect(Object.keys(entry.changes[0])).toEqual(['path', 'from', 'to']);
    expect(await audit(`&by=${entry.by.id}`)).toEqual([entry, ...rest]);
    expect(await audit(`&by=${entry.by.id}&from=${entry.at}&object=user`)).toContainEqual(entry);
    expect(await audit(`&object=${user.id}&to=${rest[0].at}`)).toEqual([]);
  });

  it('does not take a client for the command whose name it has [contract 6]', async () => {
    const { body: named } = await admin.post('/clients', { name: 'apply', scope: 'manage' });
    const { client_id, client_secret } = named;
    const { body: token } = await service.anonymous.post('/oauth2/token', { client_id, client_secret });
    const { body: user } = await service
      .client(token.access_token)
      .post('/users', { email: 'dan@acme.test' });
    const by = { kind: 'client', id: client_id, name: 'apply' };
    expect(await audit(`&by=${client_id}`)).toMatchObject([
      { by, action: 'create', object: { id: user.id } },
    ]);
    const ofCommand = await audit('&by=apply');
    expect(ofCommand.length).toBeGreaterThan(0);
    for (const entry of ofCommand) expect(entry.by).toEqual({ kind: 'command', id: null, name: 'apply' });
  });

  it('has nothing of a change that changes nothing, or is refused [contract 6]', async () => {
    const before = await audit();
    const [{ object }] = await audit('&object=user');
    expect((await admin.patch(`/users/${object.id}`, {})).status).toBe(200);
    expect((await admin.post('/users', { email: 'ada@acme.test' })).status).toBe(409);
    expect(await audit()).toEqual(before);
  });

  it('is read in pages, newest first [contract 6]', async () => {
    const all = await audit();
    const pages: any[] = [];
    for (let after = ''; ;) {
      const { body } = await admin.get(`/audit?limit=2${after}`);
      pages.push(...body.data);
      if (body.pagination.next === null) break;
      after = `&after=${body.pagination.next}`;
    }
    expect(pages).toEqual(all);
    const { status, body } = await admin.get('/audit?from=yesterday&after=x');
    expect([status, body.errors.map(({ field }: any) => field)]).toEqual([400, ['from', 'after']]);
  });

  it('of a kind that there is none of is refused, naming the kinds [contract 1, contract 6]', async () => {
    const message =
      'object must be the id of an object, or one of account, user, team, field, capacity, router, client, member';
    for (const object of ['users', 'User', 'user:1']) {
      expectInvalid(await admin.get(`/audit?object=${object}`), ['object', message]);
    }
  });

  it('of another account is not seen [5.3]', async () => {
    const stranger = await service.login('beta', ['manage']);
    const entries = (await stranger.get('/audit')).body.data;
    expect(entries.map(({ object }: any) => object.name)).toEqual([service.slug('beta')]);
  });

  it('cannot be changed or deleted, by the database either [contract 6]', async () => {
    const refusal = /never changed or deleted/;
    await expect(sql(service, `UPDATE audit_entries SET by_name = 'nobody'`)).rejects.toThrow(refusal);
    await expect(sql(service, 'DELETE FROM audit_entries')).rejects.toThrow(refusal);
    await expect(sql(service, 'TRUNCATE audit_entries')).rejects.toThrow(refusal);
  });

  it('ends a page early that would exceed 10 MiB, and goes on behind it [contract 3, contract 6]', async () => {
    await service.apply('accounts: [{ slug: globex }]');
    const globex = await service.login('globex', ['manage']);
    const { body: field } = await globex.post('/fields', {
      object_type: 'contacts',
      internal_name: 'large',
      type: 'enumeration',
      options: [{ internal_name: 'a' }],
    });
    const label = '\u6587'.repeat(200);
    const names = Array.from({ length: 1_200 }, (_, n) => ({ internal_name: `o${n}`, label }));
    const name = names.map((option) => ({ ...option, label: `${label.slice(0, 199)}x` }));
    for (let n = 0; n < 10; n++) {
      const options = [{ internal_name: 'a' }, ...(n % 2 === 0 ? names : name)];
      expect((await globex.patch(`/fields/${field.id}`, { options })).status).toBe(200);
    }
    const sizes: number[] = [];
    const seen: string[] = [];
    let next = '';
    do {
      const { status, body } = await globex.get(
        `/audit?limit=100&object=${field.id}${next === '' ? '' : `&after=${next}`}`,
      );
      expect(status).toBe(200);
      sizes.push(Buffer.byteLength(JSON.stringify(body)));
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      next = body.pagination.next ?? '';
    } while (next !== '');
    expect(seen).toHaveLength(11);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect(sizes.length).toBeGreaterThan(1);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(sizes[0]).toBeGreaterThan(8 * 1024 * 1024);
  });
});
