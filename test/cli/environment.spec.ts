import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { ownCommand } from '../../src/settings/package.js';
import { postgresOf, Programs } from '../support/processes/program.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

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

/** Starts a server in this process that must fail to start. @returns what the program says */
async function refusedStart(env: Record<string, string>, cwd = programs.folder()): Promise<string> {
  const message = await programs.refusedServer(env, cwd);
  expect(message).not.toMatch(/^\s+at /m);
  return message;
}

/** Starts the program, which must end. @returns its standard error */
async function refusedProgram(env: Record<string, string>, cwd = programs.folder()): Promise<string> {
  const server = programs.server(env, cwd);
  expect(await server.exit()).toBe(1);
  expect(server.stderr).not.toMatch(/^\s+at /m);
  expect(server.stdout).not.toContain('listening');
  return server.stderr;
}

describe('a start with a bad environment', () => {
  it('exits with 1 and one line for each rule that is broken, also in .env, where variables that are set win [contract 5]', async () => {
    const cwd = programs.folder();
    writeFileSync(join(cwd, '.env'), 'LOG_LEVEL=loud\nBODY_LIMIT=none\nPORT=3000\n');
    const stderr = await refusedProgram({ PORT: 'x', DEMO: 'maybe' }, cwd);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'Invalid environment:',
      '  - PORT must be a whole number from 0 to 65535 (it is "x")',
      '  - BODY_LIMIT must be a size such as 64kb, 1mb or 65536 (it is "none")',
      '  - LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (it is "loud")',
      '  - DEMO must be true or false (it is "maybe")',
    ]);
    expect(postgresOf(join(cwd, 'data'))).toBeUndefined();
    const command = await programs.process(['account', 'list'], { PORT: 'x', DEMO: 'maybe' }, { cwd });
    expect(command).toEqual({ code: 1, stdout: '', stderr });
  });

  it('is refused by the command line in the same words, which leaves --help alone [contract 5]', async () => {
    const env = { LOG_LEVEL: 'loud' };
    const { code, stdout, stderr } = await programs.cli(['account', 'list'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Invalid environment:\n {2}- LOG_LEVEL must [^\n]+\n$/);
    const help = await programs.cli(['--help'], env);
    expect(help.code).toBe(0);
    for (const command of ['migrate', 'apply', 'export', 'account', 'client']) {
      expect(help.stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    }
  });

  it('without JWT_SECRET on an external database says what is missing [contract 5]', async () => {
    const stderr = await refusedStart({ DATABASE_URL: await newDatabase(false) });
    expect(stderr).toBe(
      'Invalid environment:\n  - JWT_SECRET is required (at least 32 bytes) when DATABASE_URL is set\n',
    );
  });

  it('on a port that is taken says so once, before anything is created [contract 5]', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const cwd = programs.folder();
    const server = programs.server({ PORT: String(port) }, cwd);
    expect(await server.exit()).toBe(1);
    taken.close();
    expect(server.stderr).toMatch(
      new RegExp(
        `^Cannot listen on PORT ${port} of HOST 127.0.0.1: .*EADDRINUSE.*address already in use.*\n$`,
      ),
    );
    expect(server.stdout).not.toMatch(/EADDRINUSE|listening/);
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });

  it('with a DATA_DIR that is a file names it [contract 5]', async () => {
    const cwd = programs.folder();
    writeFileSync(join(cwd, 'file'), '');
    expect(await refusedStart({ DATA_DIR: './file' }, cwd)).toMatch(/^DATA_DIR .*file/);
    expect(await refusedStart({ DATA_DIR: './file', JWT_SECRET }, cwd)).toMatch(/DATA_DIR/);
  });
});

describe('a DATA_DIR that can never be made', () => {
  // The system answers ENOENT although the directory above exists: Node's recursive mkdir never ends there.
  it.each([{}, { JWT_SECRET }])('is named, and the start ends, with %j [contract 5]', async (env) => {
    const stderr = await refusedStart({ DATA_DIR: '/proc/fairlead/data', ...env });
    expect(stderr).toMatch(/DATA_DIR.* cannot be used: .*ENOENT/);
    const { code, stderr: ofCommand } = await programs.cli(['account', 'list'], {
      DATA_DIR: '/proc/fairlead/data',
      ...env,
    });
    expect(code).toBe(1);
    expect(ofCommand).toMatch(/DATA_DIR.* cannot be used: .*ENOENT/);
  });
});

describe('a start on an external database', () => {
  it('is refused while its schema is outdated; migrate makes it current [contract 5]', async () => {
    const DATABASE_URL = await newDatabase(true);
    const stderr = await refusedStart({ DATABASE_URL, JWT_SECRET });
    expect(stderr).toBe(
      `The schema of the database at DATABASE_URL is outdated: run \`${ownCommand()} migrate\`, ` +
        'or set MIGRATE_ON_START=true\n',
    );
    const list = await programs.cli(['account', 'list'], { DATABASE_URL });
    expect(list).toEqual({ code: 1, stdout: '', stderr });

    const first = await programs.cli(['migrate'], { DATABASE_URL });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^(applied \w+\n)+$/);
    const second = await programs.cli(['migrate'], { DATABASE_URL });
    expect(second).toEqual({ code: 0, stdout: 'the schema is up to date\n', stderr: '' });
    const json = await programs.cli(['migrate', '--json'], { DATABASE_URL });
    expect(JSON.parse(json.stdout)).toEqual({ applied: [] });
    expect((await programs.cli(['account', 'list'], { DATABASE_URL })).code).toBe(0);
  });

  it.each([
    ['does not listen', 'postgres://user:hunter2@127.0.0.1:1/name', /ECONNREFUSED/],
    ['does not listen on any of its addresses', 'postgres://user:hunter2@localhost:1/name', /ECONNREFUSED/],
    ['does not exist', 'postgres://user:hunter2@nowhere.invalid/name', /ENOTFOUND|EAI_AGAIN/],
  ])('whose host %s says so without the password [contract 5]', async (_, DATABASE_URL, reason) => {
    const stderr = await refusedStart({ DATABASE_URL, JWT_SECRET, DATABASE_START_WAIT_SECONDS: '0' });
    expect(stderr).toMatch(/^Cannot connect to the database at DATABASE_URL: /);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('hunter2');
  });

  it.each([
    ['with a broken host', 'postgres://user:hunter2@[half/name'],
    ['with an impossible port', 'postgres://user:hunter2@127.0.0.1:99999/name'],
    ['with a broken escape', 'postgres://user:hunter2%zz@127.0.0.1/name'],
    ['that is one word', 'postgres://hunter2'],
  ])('whose address is none, %s, names the variable and shows no password [contract 5]', async (_, url) => {
    const refusal = /^Invalid environment:\n {2}- DATABASE_URL must be a postgres:\/\/ address [^\n]+\n$/;
    const stderr = await refusedStart({ DATABASE_URL: url, JWT_SECRET });
    expect(stderr).toMatch(refusal);
    expect(stderr).not.toContain('hunter2');
    const list = await programs.cli(['account', 'list'], { DATABASE_URL: url });
    expect(list).toEqual({ code: 1, stdout: '', stderr });
  });

  it('that cannot be reached is reported by the command line in the same words [contract 5]', async () => {
    const DATABASE_URL = 'postgres://user:hunter2@127.0.0.1:1/name';
    const { code, stdout, stderr } = await programs.cli(['account', 'list'], { DATABASE_URL });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('Cannot connect to the database at DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n');
  });

  it.each([
    ['another password', (url: URL) => (url.password = 'hunter2'), /password/],
    ['another database', (url: URL) => (url.pathname = '/nope'), /nope/],
  ])('with %s says so without the password [contract 5]', async (_, change, reason) => {
    const url = new URL(await newDatabase(false));
    const { password } = url;
    change(url);
    const stderr = await refusedStart({ DATABASE_URL: url.href, JWT_SECRET });
    expect(stderr).toMatch(/^Cannot connect to the database at DATABASE_URL: /);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('hunter2');
    expect(stderr).not.toContain(password);
  });
});
