import { TracePruner } from '../../src/assignments/index.js';
import { sql } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.start({ traceRetentionDays: 30 });
});
afterAll(() => service.stop());

it('drops the traces of old runs and keeps the runs [contract 6]', async () => {
  const api = await service.login('acme', ['records:write', 'dispatch', 'routers:read']);
  await service.apply(`accounts: [{ slug: acme, users: [{ email: a@x.test }], routers: [
    { name: R, object_type: contacts, published: true, settings: {}, users: [{ email: a@x.test }] }] }]`);
  const router = (await api.get('/routers')).body.data[0].id;
  const ids: string[] = [];
  for (const name of ['old', 'new']) {
    const { body } = await api.post('/contacts', { fields: { first_name: name } });
    const run = await api.post('/dispatch/router', { router_id: router, object_id: body.id });
    ids.push(run.body.assignment_id);
  }
  const [old, fresh] = ids;
  const moved = '018e0000-0000-7000-8000-000000000001';
  await sql(service, `UPDATE assignments SET id = $2, created_at = '2024-03-01T00:00:00Z' WHERE id = $1`, [
    old,
    moved,
  ]);

  const pruner = service.app.get(TracePruner, { strict: false });
  expect(await pruner.prune(new Date())).toBe(1);
  expect(await pruner.prune(new Date())).toBe(0);
  const pruned = (await api.get(`/assignments/${moved}`)).body;
  expect(pruned).toMatchObject({ user: 'a@x.test', reason: 'round_robin', trace: null });
  expect((await api.get(`/assignments/${fresh}`)).body.trace.length).toBeGreaterThan(0);
});
