import { execFile } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient } from '../support/api-client.js';
import { postgresOf, Programs, type Program } from '../support/program.js';
import { untilReady } from '../support/until-ready.js';

const programs = new Programs();

afterEach(() => programs.end());

/** Starts a server on the embedded database of a folder, and waits until it has printed everything. */
async function start(
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ server: Program; url: string }> {
  const server = programs.server(env, cwd);
  const url = await server.listening();
  // The server prints the announcement directly after the address. An answered request is later than both.
  await untilReady(url);
  return { server, url };
}

/** Returns the parts of the announcement of the demo account. */
function announced(stdout: string): { clientId: string; clientSecret: string; lines: string[] } {
  const [, clientId = ''] = /^ *client_id: +(\S+)$/m.exec(stdout) ?? [];
  const [, clientSecret = ''] = /^ *client_secret: +(\S+)$/m.exec(stdout) ?? [];
  return { clientId, clientSecret, lines: stdout.split('\n').filter((line) => line.includes('curl ')) };
}

async function tokenOf(
  url: string,
  { clientId, clientSecret }: Pick<ReturnType<typeof announced>, 'clientId' | 'clientSecret'>,
): Promise<string> {
  const credentials = { client_id: clientId, client_secret: clientSecret };
  const { status, body } = await new ApiClient(url).post('/oauth2/token', credentials);
  expect(status).toBe(200);
  return body.access_token;
}

describe('the first start on a fresh embedded database', () => {
  it('prints credentials and three curl lines that work as they are [4.1, 4.3, 4.6, contract 5]', async () => {
    const cwd = programs.folder();
    const { server, url } = await start(cwd, { HOST: '127.0.0.1' });
    const demo = announced(server.stdout);
    expect(demo.clientId).toMatch(/^[0-9a-f-]{36}$/);
    expect(demo.clientSecret).toMatch(/^[\w-]{43}$/);
    expect(demo.lines).toHaveLength(3);
    expect(demo.lines.every((line) => line.includes(url))).toBe(true);

    const { stdout } = await promisify(execFile)('bash', ['-euc', demo.lines.join('\n')], {
      timeout: 30_000,
    });
    expect(JSON.parse(stdout)).toEqual({
      message: 'The object was successfully assigned',
      success: true,
      user: expect.stringMatching(/^(ada|grace|alan)@demo\.test$/),
      field_name: 'contact_owner',
      owner_assigned_at: expect.any(String),
      assignment_id: expect.any(String),
      reason: expect.any(String),
    });
    const api = new ApiClient(url, await tokenOf(url, demo));
    const { body: contacts } = await api.get('/contacts');
    expect(contacts.data).toMatchObject([
      {
        email: expect.stringMatching(/^katherine\+\d+@example\.com$/),
        contact_owner: JSON.parse(stdout).user,
      },
    ]);
    expect(await server.stop()).toBe(0);
  });

  it('keeps the key of tokens, so that they survive a restart; the demo is printed once [5.3, contract 5]', async () => {
    const cwd = programs.folder();
    const first = await start(cwd);
    const demo = announced(first.server.stdout);
    const token = await tokenOf(first.url, demo);
    expect(statSync(join(cwd, 'data', 'jwt-secret')).mode & 0o777).toBe(0o600);
    expect(postgresOf(join(cwd, 'data'))).toEqual(expect.any(Number));
    expect(await first.server.stop()).toBe(0);
    expect(postgresOf(join(cwd, 'data'))).toBeUndefined();

    const second = await start(cwd, { DEMO: 'true' });
    expect(announced(second.server.stdout)).toEqual({ clientId: '', clientSecret: '', lines: [] });
    expect((await new ApiClient(second.url, token).get('/contacts')).status).toBe(200);
    expect(await tokenOf(second.url, demo)).not.toBe(token);
    expect(await second.server.stop()).toBe(0);

    const third = await start(cwd);
    expect(announced(third.server.stdout)).toEqual({ clientId: '', clientSecret: '', lines: [] });
    expect(await third.server.stop()).toBe(0);
  });

  it('makes no demo with DEMO=false, nor a later start without it [contract 5]', async () => {
    const cwd = programs.folder();
    const first = await start(cwd, { DEMO: 'false' });
    expect(announced(first.server.stdout)).toEqual({ clientId: '', clientSecret: '', lines: [] });
    const list = await programs.cli(['account', 'list', '--json'], {}, { cwd });
    expect(JSON.parse(list.stdout)).toEqual({ accounts: [] });
    expect(await first.server.stop()).toBe(0);

    const second = await start(cwd);
    expect(announced(second.server.stdout).lines).toEqual([]);
    expect(await second.server.stop()).toBe(0);
  });

  it('is also one after commands that have made the database and left it without accounts [contract 5]', async () => {
    const cwd = programs.folder();
    for (const command of [['account', 'list'], ['migrate']])
      expect(await programs.cli(command, {}, { cwd })).toMatchObject({ code: 0 });
    const first = await start(cwd);
    expect(announced(first.server.stdout).lines).toHaveLength(3);
    expect(await first.server.stop()).toBe(0);
  });

  it('makes no demo beside accounts that a command has made, nor where DEMO=false was before [contract 5]', async () => {
    const [used, refused] = [programs.folder(), programs.folder()];
    const input = 'accounts: [{ slug: acme }]';
    expect(await programs.cli(['apply', '-'], {}, { cwd: used, input })).toMatchObject({ code: 0 });
    expect(await programs.cli(['account', 'list'], {}, { cwd: refused })).toMatchObject({ code: 0 });
    expect(await (await start(refused, { DEMO: 'false' })).server.stop()).toBe(0);
    for (const cwd of [used, refused]) {
      const { server } = await start(cwd);
      expect(announced(server.stdout).clientId).toBe('');
      expect(await server.stop()).toBe(0);
    }
  });

  it('logs JSON beside the announcement, without the secret [contract 1, contract 5]', async () => {
    const { server } = await start(programs.folder(), { LOG_LEVEL: 'trace' });
    const { clientSecret } = announced(server.stdout);
    expect(await server.stop()).toBe(0);
    expect(server.logs.length).toBeGreaterThan(2);
    expect(JSON.stringify(server.logs)).not.toContain(clientSecret);
    const before = server.stdout.slice(0, server.stdout.indexOf('\nThe demo account'));
    for (const line of before.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    expect(server.stderr).toBe('');
  });
});

/** Returns what the audit of the account acme has of `APPLY_FILE`. */
async function audited(cwd: string, url: string): Promise<unknown[]> {
  const args = ['client', 'create', '--account', 'acme', '--name', 'Admin', '--scope', 'manage', '--json'];
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(
    (await programs.cli(args, {}, { cwd })).stdout,
  );
  const admin = new ApiClient(url, await tokenOf(url, { clientId, clientSecret }));
  return (await admin.get('/audit?by=APPLY_FILE')).body.data;
}

describe('APPLY_FILE', () => {
  it('is applied at every start, before the service listens [contract 5]', async () => {
    const cwd = programs.folder();
    const file = join(cwd, 'fairlead.yaml');
    const env = { APPLY_FILE: 'fairlead.yaml', DEMO: 'false' };
    const names = async (): Promise<string[]> => {
      const { stdout } = await programs.cli(['account', 'list', '--json'], {}, { cwd });
      return JSON.parse(stdout).accounts.map(({ name }: { name: string }) => name);
    };
    writeFileSync(file, 'accounts: [{ slug: acme, name: Acme }]');
    const first = await start(cwd, env);
    expect(await names()).toEqual(['Acme']);
    expect(await audited(cwd, first.url)).toContainEqual(
      expect.objectContaining({ action: 'create', object: expect.objectContaining({ kind: 'account' }) }),
    );
    expect(await first.server.stop()).toBe(0);

    writeFileSync(file, 'accounts: [{ slug: acme, name: Acme Inc }, { slug: beta }]');
    const second = await start(cwd, env);
    expect(await names()).toEqual(['Acme Inc', 'beta']);
    expect(await second.server.stop()).toBe(0);
  });

  it.each([
    ['does not exist', undefined, /ENOENT/],
    [
      'cannot be applied',
      `accounts:
  - slug: acme
    colour: red
    teams: [{ name: A, members: [x@acme.test] }]
  - { slug: beta, teams: [{ name: B, members: [y@beta.test] }] }`,
      new RegExp(
        [
          'line 3, column 5: accounts\\[0\\]\\.colour: Unknown key: colour.*',
          'line 4, column 34: accounts\\[0\\]\\.teams\\[0\\]\\.members\\[0\\]: x@acme\\.test is not a user of the account',
          'line 5, column 48: accounts\\[1\\]\\.teams\\[0\\]\\.members\\[0\\]: y@beta\\.test is not a user of the account',
        ].join('\n'),
      ),
    ],
  ])(
    'that %s stops the start with 1, naming it, and leaves no PostgreSQL behind [contract 5]',
    async (_, text, why) => {
      const cwd = programs.folder();
      if (text !== undefined) writeFileSync(join(cwd, 'fairlead.yaml'), text);
      const server = programs.server({ APPLY_FILE: 'fairlead.yaml' }, cwd);
      expect(await server.exit()).toBe(1);
      expect(server.stderr).toMatch(/^APPLY_FILE fairlead\.yaml cannot be applied:\n/);
      expect(server.stderr).toMatch(why);
      expect(server.stderr).not.toMatch(/^\s+at /m);
      expect(server.stdout).not.toContain('listening');
      expect(existsSync(join(cwd, 'data', 'postgres'))).toBe(true);
      expect(postgresOf(join(cwd, 'data'))).toBeUndefined();
    },
  );
});
