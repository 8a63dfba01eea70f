// Services of its own: they are counted.
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
    database: { version: expect.stringMatching(/^\d+/) as unknown },
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
