import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from '../faults/embedded-support.js';
import { postgresOf, Programs } from '../support/processes/program.js';
import { PostgresProxy } from '../support/database/postgres-proxy.cjs';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { untilReady } from '../support/processes/until-ready.js';
import { waitFor } from '../support/wait-for.js';

const JWT_SECRET = createHash('sha256').update('environment').digest('hex');

const programs = new Programs();
const databases: TestDatabase[] = [];

afterEach(async () => {
  await programs.end();
  for (const database of databases.splice(0)) await database.drop();
});

/** A database on the run's server that asks for the password, dropped after the test. */
async function newDatabase(empty: boolean): Promise<string> {
  const database = await createTestDatabase({ empty, prefix: 'scram' });
  databases.push(database);
  return database.url;
}

/** Starts a server that must fail to start. @returns its standard error */
async function refusedStart(env: Record<string, string>, cwd = programs.folder()): Promise<string> {
  const server = programs.server(env, cwd);
  expect(await server.exit()).toBe(1);
  expect(server.stderr).not.toMatch(/^\s+at /m);
  expect(server.stdout).not.toContain('listening');
  return server.stderr;
}

describe('a start on an external database', () => {
  it('listens once `migrate` has made its schema, and makes no demo [contract 5]', async () => {
    const DATABASE_URL = await newDatabase(true);
    expect(await programs.process(['migrate'], { DATABASE_URL })).toMatchObject({ code: 0, stderr: '' });
    const server = programs.server({ DATABASE_URL, JWT_SECRET });
    const address = await server.listening();
    await untilReady(address);
    expect(server.stdout).not.toContain('client_secret');
    expect(await server.stop()).toBe(0);
  });

  it('migrates it first with MIGRATE_ON_START=true [contract 5]', async () => {
    const DATABASE_URL = await newDatabase(true);
    const server = programs.server({ DATABASE_URL, JWT_SECRET, MIGRATE_ON_START: 'true' });
    const address = await server.listening();
    await untilReady(address);
    expect(await server.stop()).toBe(0);
    const { stdout } = await programs.cli(['--json', 'account', 'list'], { DATABASE_URL });
    expect(JSON.parse(stdout)).toEqual({ accounts: [] });
  });

  it('names its address as it was configured, and keeps no files beside it [contract 5]', async () => {
    const cwd = programs.folder();
    const env = { DATABASE_URL: await newDatabase(false), JWT_SECRET, HOST: '0.0.0.0', DEMO: 'true' };
    const server = programs.server(env, cwd);
    expect(await server.listening()).toMatch(/^http:\/\/localhost:\d+$/);
    expect(postgresOf(join(cwd, 'data'))).toBeUndefined();
    expect(server.stdout).toContain('client_secret');
    expect(await server.stop()).toBe(0);
  });

  it('that does not listen yet is waited for; a wrong password is not [contract 5]', async () => {
    const proxy = await PostgresProxy.start(await newDatabase(false));
    await proxy.cut();
    const server = programs.server({
      DATABASE_URL: proxy.url,
      JWT_SECRET,
      DATABASE_START_WAIT_SECONDS: '60',
    });
    await waitFor('the start to wait', () =>
      server.logs.some(({ msg }) => msg === 'Waiting up to 60 s for the database at DATABASE_URL to start.'),
    );
    await proxy.restore();
    try {
      await untilReady(await server.listening());
      const env = { JWT_SECRET, DATABASE_START_WAIT_SECONDS: '3600' };
      for (const [part, value] of [
        ['password', 'wrong'],
        ['pathname', '/nope'],
      ] as const) {
        const url = new URL(proxy.url);
        url[part] = value;
        expect(await refusedStart({ ...env, DATABASE_URL: url.href })).toMatch(
          /^Cannot connect .*(password|nope)/,
        );
      }
      expect(await server.stop()).toBe(0);
    } finally {
      await proxy.cut();
    }
  });

  it('that never listens ends the start when the time is over, or at a signal [contract 5]', async () => {
    const DATABASE_URL = 'postgres://user:hunter2@127.0.0.1:1/name';
    const env = { DATABASE_URL, JWT_SECRET };
    expect(await refusedStart({ ...env, DATABASE_START_WAIT_SECONDS: '1' })).toMatch(/ECONNREFUSED/);
    const server = programs.server({ ...env, DATABASE_START_WAIT_SECONDS: '3600' });
    await waitFor('the start to wait', () => server.logs.length > 0);
    server.signal('SIGTERM');
    expect(await server.exit()).toBe(1);
    expect(server.stderr).toBe('Stopped by SIGTERM while waiting for the database\n');
  });

  it('ends where APPLY_FILE is applied in part, and says how far [contract 5]', async () => {
    const DATABASE_URL = await newDatabase(false);
    // The last account passes the check, and then there is no room for it.
    await query(
      DATABASE_URL,
      `CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'No space left'; END $$;
       CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON accounts DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.slug = 'last') EXECUTE FUNCTION at_commit()`,
    );
    const cwd = programs.folder();
    writeFileSync(join(cwd, 'two.yaml'), 'accounts: [{ slug: first }, { slug: last }]');
    const stderr = await refusedStart({ DATABASE_URL, JWT_SECRET, APPLY_FILE: 'two.yaml' }, cwd);
    expect(stderr).toBe(
      'APPLY_FILE two.yaml is applied in part:\nline 1, column 29: accounts[1]: No space left\n' +
        'The accounts before it are applied, and none from it on\n',
    );
    expect(await query(DATABASE_URL, 'SELECT slug FROM accounts')).toEqual([{ slug: 'first' }]);
  });
});
