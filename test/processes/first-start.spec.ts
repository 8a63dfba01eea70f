import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { announced, startOnData, tokenOf } from '../support/processes/first-start.js';
import { postgresOf, Programs } from '../support/processes/program.js';

const programs = new Programs();

afterEach(() => programs.end());

const start = (cwd: string, env?: Record<string, string>): ReturnType<typeof startOnData> =>
  startOnData(programs, cwd, env);

describe('the first start on a fresh embedded database', () => {
  it('keeps the key of tokens, so that they survive a restart; the demo is printed once [5.3, contract 5]', async () => {
    const cwd = await programs.folderWithData();
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
    const [used, refused] = [await programs.folderWithData(), await programs.folderWithData()];
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
    const cwd = await programs.folderWithData();
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
      'has a wrong shape',
      'accounts:\n  - slug: acme\n    colour: red',
      /line 3, column 5: accounts\[0\]\.colour: Unknown key: colour/,
    ],
    [
      'names who is not there',
      `accounts:
  - slug: acme
    teams: [{ name: A, members: [x@acme.test] }]
  - { slug: beta, teams: [{ name: B, members: [y@beta.test] }] }`,
      new RegExp(
        [
          'line 3, column 34: accounts\\[0\\]\\.teams\\[0\\]\\.members\\[0\\]: x@acme\\.test is not a user of the account',
          'line 4, column 48: accounts\\[1\\]\\.teams\\[0\\]\\.members\\[0\\]: y@beta\\.test is not a user of the account',
        ].join('\n'),
      ),
    ],
  ])(
    'that %s stops the start with 1, naming it, and leaves no PostgreSQL behind [contract 5]',
    async (_, text, why) => {
      const cwd = await programs.folderWithData();
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
