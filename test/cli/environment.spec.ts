import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { postgresOf, Programs } from '../support/program.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { untilReady } from '../support/until-ready.js';
import { waitFor } from '../support/wait-for.js';

const CLI = join(__dirname, '../../dist/src/cli.js');
const JWT_SECRET = createHash('sha256').update('environment').digest('hex');

const programs = new Programs();
const databases: TestDatabase[] = [];

afterEach(async () => {
  await programs.end();
  for (const database of databases.splice(0)) await database.drop();
});

/** A database on the run's server, dropped after the test. */
async function newDatabase(empty: boolean): Promise<string> {
  const database = await createTestDatabase({ empty });
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

describe('a start with a bad environment', () => {
  it('exits with 1 and one line for each rule that is broken, before anything is touched [contract 5]', async () => {
    const cwd = programs.folder();
    const stderr = await refusedStart(
      { PORT: 'x', LOG_LEVEL: 'loud', DEMO: 'maybe', BODY_LIMIT: 'none' },
      cwd,
    );
    expect(stderr.trimEnd().split('\n')).toEqual([
      'Invalid environment:',
      '  - PORT must be a whole number from 0 to 65535 (it is "x")',
      '  - BODY_LIMIT must be a size such as 64kb, 1mb or 65536 (it is "none")',
      '  - LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (it is "loud")',
      '  - DEMO must be true or false (it is "maybe")',
    ]);
    expect(postgresOf(join(cwd, 'data'))).toBeUndefined();
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

  it('reads .env of the working directory, where variables that are set win [contract 5]', async () => {
    const cwd = programs.folder();
    writeFileSync(join(cwd, '.env'), 'LOG_LEVEL=loud\nBODY_LIMIT=none\n');
    const stderr = await refusedStart({ BODY_LIMIT: '1mb' }, cwd);
    expect(stderr).toMatch(/LOG_LEVEL must/);
    expect(stderr).not.toContain('BODY_LIMIT');
  });

  it('without JWT_SECRET on an external database says what is missing [contract 5]', async () => {
    const stderr = await refusedStart({ DATABASE_URL: await newDatabase(false) });
    expect(stderr).toBe(
      'Invalid environment:\n  - JWT_SECRET is required (at least 32 bytes) when DATABASE_URL is set\n',
    );
  });

  it('on a port that is taken says so once [contract 5]', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const server = programs.server({ PORT: String(port), DEMO: 'false' });
    expect(await server.exit()).toBe(1);
    taken.close();
    expect(server.stderr).toMatch(
      new RegExp(`^Cannot listen on PORT ${port} of HOST 127.0.0.1: .*EADDRINUSE.*\n$`),
    );
    expect(server.stdout).not.toContain('EADDRINUSE');
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
      `The schema of the database at DATABASE_URL is outdated: run \`node ${CLI} migrate\`, ` +
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

  it('that does not listen yet is waited for; a wrong password is not [contract 5]', async () => {
    const proxy = await TcpProxy.start(await newDatabase(false));
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

describe('a start on a port', () => {
  it('that is in use says so, exits with 1 and leaves no PostgreSQL behind [contract 5]', async () => {
    const blocker = createServer();
    blocker.listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    try {
      const cwd = programs.folder();
      const stderr = await refusedStart({ PORT: String(port) }, cwd);
      expect(stderr).toContain('PORT');
      expect(stderr).toContain('address already in use');
      expect(stderr).toContain(String(port));
      expect(postgresOf(join(cwd, 'data'))).toBeUndefined();
    } finally {
      blocker.close();
      await once(blocker, 'close');
    }
  });
});
