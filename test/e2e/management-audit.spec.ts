import type { ApiClient } from '../support/api-client.js';
import { sql } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let admin: ApiClient;

beforeAll(async () => {
  service = await TestService.start();
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
    expect(await audit(`&by=${entry.by.id}`)).toEqual([entry, ...rest]);
    expect(await audit(`&by=${entry.by.id}&from=${entry.at}&object=user`)).toContainEqual(entry);
    expect(await audit(`&object=${user.id}&to=${rest[0].at}`)).toEqual([]);
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

  it('of another account is not seen [5.3]', async () => {
    const stranger = await service.login('beta', ['manage']);
    const entries = (await stranger.get('/audit')).body.data;
    expect(entries.map(({ object }: any) => object.name)).toEqual(['Test', 'beta']);
  });

  it('cannot be changed or deleted, by the database either [contract 6]', async () => {
    const refusal = /never changed or deleted/;
    await expect(sql(service, `UPDATE audit_entries SET by_name = 'nobody'`)).rejects.toThrow(refusal);
    await expect(sql(service, 'DELETE FROM audit_entries')).rejects.toThrow(refusal);
    await expect(sql(service, 'TRUNCATE audit_entries')).rejects.toThrow(refusal);
  });
});
