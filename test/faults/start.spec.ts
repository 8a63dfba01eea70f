import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { MIGRATION_LOCK } from '../../src/database/connection/advisory-locks.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { postgresOf, Programs, type Program } from '../support/processes/program.js';
import { createTestDatabase } from '../support/database/test-database.js';
import { untilReady } from '../support/processes/until-ready.js';
import { waitFor } from '../support/wait-for.js';

const JWT_SECRET = createHash('sha256').update('start').digest('hex');

const programs = new Programs();
const admins: Client[] = [];

afterEach(async () => {
  for (const admin of admins.splice(0)) await admin.end();
  await programs.end();
});

async function connect(url: string): Promise<Client> {
  const admin = new Client({ connectionString: url });
  admin.on('error', () => undefined);
  admins.push(admin);
  await admin.connect();
  return admin;
}

const messages = (server: Program): unknown[] => server.logs.map(({ msg }) => msg);

/** Asserts that a server listened, then stopped, and that its embedded database stopped too. */
function expectStopped(server: Program, dataDir: string): void {
  expect(server.stderr).toBe('');
  expect(messages(server)).toEqual(expect.arrayContaining(['listening', 'stopping']));
  expect(postgresOf(dataDir)).toBeUndefined();
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
}

/**
 * Starts a server on a new embedded database. Before it listens, it waits for the transaction of another
 * connection.
 */
async function startHalfway(cwd: string): Promise<{ server: Program; proceed: () => Promise<void> }> {
  const database = await EmbeddedPostgres.open({ dataDir: join(cwd, 'data') });
  const admin = await connect(database.url);
  await admin.query('BEGIN; CREATE TABLE migrations ()');
  const server = programs.server({}, cwd);
  try {
    await waitFor('the start to wait for the table of migrations', async () => {
      if (server.ended) throw new Error(`The server ended:\n${server.stderr}`);
      const { rows } = await admin.query('SELECT 1 FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });
  } finally {
    // From here on, the server must stop the database.
    await database.close();
  }
  expect(messages(server)).not.toContain('listening');
  return {
    server,
    proceed: async () => {
      await admin.query('ROLLBACK');
      await admin.end();
    },
  };
}

describe('a stop signal during the start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s is obeyed once the start has come to its end, and nothing is left running [contract 5]',
    async (signal) => {
      const cwd = programs.folder();
      const { server, proceed } = await startHalfway(cwd);
      server.signal(signal);
      await proceed();
      expect(await server.exit()).toBe(0);
      expectStopped(server, join(cwd, 'data'));
    },
  );

  it.each([
    ['SIGTERM', 'a server', 1],
    ['SIGINT', 'a server', 1],
    ['SIGINT', 'the command migrate', null],
  ] as const)('%s ends the wait of %s for another migration, which it names', async (signal, what, code) => {
    const database = await createTestDatabase({ empty: true });
    const admin = await connect(database.url);
    await admin.query(`SET application_name = 'deploy 7'; SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const env = { DATABASE_URL: database.url, JWT_SECRET, MIGRATE_ON_START: 'true' };
    const program = what === 'a server' ? programs.server(env) : programs.start(['migrate'], env);
    const named = 'deploy 7';
    await waitFor('the name of the holder', () => (program.stdout + program.stderr).includes(named));
    program.signal(signal);
    expect(await program.exit()).toBe(code);
    if (code !== null) {
      expect(program.stderr).toBe(`Stopped by ${signal} while waiting for the database\n`);
    }
    await admin.end();
    await database.drop();
  });

  it('while the embedded database is being created leaves a whole one behind [contract 5]', async () => {
    const cwd = programs.folder();
    const dataDir = join(cwd, 'data');
    const server = programs.server({}, cwd);
    await waitFor('initdb at work', () => {
      const unfinished = existsSync(dataDir) && readdirSync(dataDir).find((name) => name.includes('.init-'));
      return unfinished && existsSync(join(dataDir, unfinished, 'data', 'base'));
    });
    expect(await server.stop()).toBe(0);
    expectStopped(server, dataDir);
    expect(readdirSync(dataDir).filter((name) => name.includes('.init-'))).toEqual([]);
  });

  it('ends it at once when it is the second, and the next start takes over [contract 5]', async () => {
    const cwd = programs.folder();
    const { server, proceed } = await startHalfway(cwd);
    // The process may receive two signals of the same kind as one.
    server.signal('SIGTERM');
    server.signal('SIGINT');
    // This is well before the time limit of a stop.
    await waitFor('the server to end', () => server.ended, 10_000);
    expect(await server.exit()).toBe(1);
    expect(messages(server)).not.toContain('listening');
    await proceed();

    const next = programs.server({}, cwd);
    const url = await next.listening();
    await untilReady(url);
    expect(await next.stop()).toBe(0);
    expectStopped(next, join(cwd, 'data'));
  });
});

describe('a database whose encoding is not UTF8', () => {
  it.each(['SQL_ASCII', 'LATIN1'])(
    'is refused before anything is written: %s [contract 5]',
    async (encoding) => {
      const url = new URL(process.env['FAIRLEAD_TEST_SERVER']!);
      const admin = await connect(url.href);
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await admin.query(
        `CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`,
      );
      try {
        url.pathname = `/${name}`;
        const env = { DATABASE_URL: url.href, JWT_SECRET, MIGRATE_ON_START: 'true' };
        const refusal = `The database at DATABASE_URL must have the encoding UTF8, not ${encoding}\n`;
        const server = programs.server(env);
        expect(await server.exit()).toBe(1);
        expect(server.stderr).toBe(refusal);
        expect(messages(server)).not.toContain('listening');
        const migration = await programs.cli(['migrate'], { DATABASE_URL: url.href });
        expect(migration).toEqual({ code: 1, stdout: '', stderr: refusal });

        const inside = await connect(url.href);
        const { rows } = await inside.query(
          `SELECT oid::regclass FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
        );
        expect(rows).toEqual([]);
      } finally {
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
  );
});
