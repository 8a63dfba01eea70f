// Services of its own: they are counted.
import { Database } from '../../src/database/index.js';
import { StatusRepository } from '../../src/health/status.repository.js';
import { expectError } from '../support/error-object.js';
import { sql } from '../support/database/stored-records.js';
import { ISO_TIME } from '../support/record-types.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';
import { MIGRATIONS } from '../../migrations/index.js';

const read = async (service: TestService): Promise<any> => {
  const { status, body } = await (await service.login('acme', ['manage'])).get('/status');
  expect(status).toBe(200);
  return body;
};
const selves = ({ processes }: any): boolean[] => processes.map(({ self }: { self: boolean }) => self);

it('The status names the processes that serve, releases, schema, database, connections and lags [contract 6]', async () => {
  const first = await TestService.start();
  await waitFor('the first process', async () => (await read(first)).processes.length === 1);
  const body = await read(first);
  const { release } = body;
  expect(body).toMatchObject({
    release: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown,
    schema: { version: MIGRATIONS.at(-1)?.name, pending: 0 },
    database: { version: expect.stringMatching(/^\d+/) as unknown, nodes: expect.any(Array) as unknown },
    processes: [{ release, self: true, started_at: expect.stringMatching(ISO_TIME) as unknown }],
    pool: { size: expect.any(Number) as unknown, waiting: 0 },
  });
  await waitFor('the background work', async () => {
    const { lags } = await read(first);
    return ['counts', 'indexes', 'heartbeat'].every((work) =>
      lags.some(({ name, seconds }: any) => name === work && seconds === 0),
    );
  });

  const second = await TestService.start({ database: first.database });
  await waitFor('the second process', async () => (await read(first)).processes.length === 2);
  expect(selves(await read(first))).toEqual([true, false]);
  await waitFor('its own status', async () => selves(await read(second)).includes(true));
  expect(selves(await read(second))).toEqual([false, true]);
  await second.stop();
  expect(selves(await read(first))).toEqual([true]);

  await sql(first, `UPDATE processes SET seen_at = now() - interval '61 seconds'`);
  expect((await read(first)).processes).toEqual([]);
  await sql(first, `DELETE FROM migrations WHERE name = $1`, [MIGRATIONS.at(-1)?.name]);
  expect((await read(first)).schema).toMatchObject({ pending: 1, version: MIGRATIONS.at(-2)?.name });
  const other = await first.login('acme', ['routers:read']);
  expectError(await other.get('/status'), 403, { message: 'This token lacks the scope manage' });
  await first.stop();
});

it('Nodes are measured, and the accounts with the most records are named by their ids [contract 13]', async () => {
  const service = await TestService.start();
  const post = async (slug: string): Promise<unknown> =>
    (await service.login(slug)).post('/contacts', { fields: { first_name: 'Ada' } });
  for (const slug of ['small', 'large', 'large']) await post(slug);
  await waitFor('what was measured at the start', async () => {
    const { measured_at, nodes } = (await read(service)).database;
    return measured_at !== null && nodes.length > 0;
  });
  const [sizes, db] = [StatusRepository, Database].map((kind) =>
    service.app.get(kind, { strict: false }),
  ) as [StatusRepository, Database];
  const ids = await sql<{ id: string }>(service, `SELECT id FROM accounts ORDER BY slug`);
  const [large, small] = ids.filter((_, n) => n > 0).map(({ id }) => id);
  await waitFor('the counts', async () => (await sizes.largest(db)).length === 2);
  expect(await sizes.largest(db)).toEqual([
    { account: large, records: 2 },
    { account: small, records: 1 },
  ]);
  const nodes = await sizes.nodes(db);
  expect(nodes.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(3);
  for (const { name, bytes } of nodes)
    expect([name, bytes]).toEqual([expect.any(String), expect.any(Number)]);
  await service.stop();
});
