// A service of its own: commands list all accounts.
import { ApiClient } from '../support/api-client.js';
import { Programs } from '../support/processes/program.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const SECRET = /^[\w-]{43}$/;
const DEFAULT_SCOPE = 'records:read records:write routers:read directory:read dispatch';
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

const programs = new Programs();
let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
  await service.apply('accounts: [{ slug: acme, name: Acme Inc }, { slug: beta, suspended: true }]');
});
afterEach(() => programs.end());
afterAll(() => service.stop());

const cli = (...args: string[]): ReturnType<Programs['cli']> =>
  programs.cli(args, { DATABASE_URL: service.database.url });

/** Runs a command that must succeed with `--json`. @returns its document */
async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await cli(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const requestToken = (client_id: string, client_secret: string): ReturnType<ApiClient['post']> =>
  service.anonymous.post('/oauth2/token', { client_id, client_secret });

describe('account list', () => {
  it('lists the accounts by slug, as a table or as JSON [contract 5]', async () => {
    const { accounts } = await json('account', 'list');
    expect(accounts).toEqual([
      { id: expect.stringMatching(UUID), slug: 'acme', name: 'Acme Inc', suspended: false },
      { id: expect.stringMatching(UUID), slug: 'beta', name: 'beta', suspended: true },
    ]);
    const { code, stdout, stderr } = await cli('account', 'list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^SLUG +NAME +ID +STATE$/),
      expect.stringMatching(new RegExp(`^acme +Acme Inc +${accounts[0].id} +active$`)),
      expect.stringMatching(new RegExp(`^beta +beta +${accounts[1].id} +suspended$`)),
    ]);
  });
});

describe('a client', () => {
  it('is created, listed, rotated and revoked, and a running server follows [contract 2, contract 5]', async () => {
    const created = await cli('client', 'create', '--account', 'acme', '--name', 'Sync');
    expect({ code: created.code, stderr: created.stderr }).toEqual({ code: 0, stderr: '' });
    const [, id, secret] = /^client_id: (\S+)\nclient_secret: (\S+)\n$/.exec(created.stdout) ?? [];
    expect(id).toMatch(UUID);
    expect(secret).toMatch(SECRET);
    const { status, body: token } = await requestToken(id!, secret!);
    expect({ status, scope: token.scope }).toEqual({ status: 200, scope: DEFAULT_SCOPE });
    const api = new ApiClient(service.url, token.access_token);
    expect((await api.get('/contacts')).status).toBe(200);

    const rotated = await json('client', 'rotate', id!);
    expect(rotated).toEqual({ client_id: id, client_secret: expect.stringMatching(SECRET) });
    expect((await requestToken(id!, secret!)).status).toBe(401);
    expect((await requestToken(id!, rotated.client_secret)).status).toBe(200);

    const listed = await json('client', 'list', '--account', 'acme');
    expect(listed.clients).toContainEqual({
      client_id: id,
      name: 'Sync',
      scope: DEFAULT_SCOPE,
      created_at: expect.stringMatching(TIME),
      revoked_at: null,
    });
    expect(JSON.stringify(listed)).not.toMatch(/secret|hash/);

    expect(await cli('client', 'revoke', id!)).toEqual({ code: 0, stdout: `revoked ${id!}\n`, stderr: '' });
    expect((await requestToken(id!, rotated.client_secret)).status).toBe(401);
    await waitFor('the token to stop', async () => (await api.get('/contacts')).status === 401, 5_000);
    const { stdout: table } = await cli('client', 'list', '--account', 'acme');
    expect(table).toMatch(new RegExp(`^${id!} +Sync +revoked +${DEFAULT_SCOPE}$`, 'm'));

    const again = await cli('client', 'revoke', id!);
    expect(again).toEqual({ code: 1, stdout: '', stderr: 'Client not found\n' });
    expect(await cli('client', 'rotate', id!)).toEqual(again);
  });

  it('has two secrets while they overlap, and no third [contract 5, contract 6]', async () => {
    const { client_id: id, client_secret: first } = await json(
      'client',
      'create',
      '--account',
      'acme',
      '--name',
      'Overlap',
    );
    const rotate = async (seconds: string): Promise<string> =>
      (await json('client', 'rotate', id, '--overlap', seconds)).client_secret;
    const statuses = async (...secrets: string[]): Promise<number[]> =>
      Promise.all(secrets.map(async (secret) => (await requestToken(id, secret)).status));

    const second = await rotate('86400');
    expect(await statuses(first, second)).toEqual([200, 200]);
    const third = await rotate('86400');
    expect(await statuses(first, second, third)).toEqual([401, 200, 200]);
    const last = await rotate('0');
    expect(await statuses(second, third, last)).toEqual([401, 401, 200]);
    const next = await rotate('1');
    await waitFor('the overlap to pass', async () => (await requestToken(id, last)).status === 401);
    expect(await statuses(next)).toEqual([200]);
  });

  it.each(['86401', '-1', '1.5', 'an hour', ''])('is not rotated with an overlap of %j', async (overlap) => {
    const { code, stderr } = await cli(
      'client',
      'rotate',
      '01890000-0000-7000-8000-000000000000',
      `--overlap=${overlap}`,
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('whole number of seconds, 0 to 86400'),
    });
  });

  it('has the scopes that were asked for, in any order, each once [5.5, contract 2, contract 5]', async () => {
    const args = ['client', 'create', '--account', 'acme', '--name', 'Admin'];
    const created = await json(...args, '--scope', 'manage records:read manage');
    expect(created).toEqual({
      client_id: expect.stringMatching(UUID),
      client_secret: expect.stringMatching(SECRET),
    });
    const { body } = await requestToken(created.client_id, created.client_secret);
    expect(body.scope).toBe('records:read manage');
    const { clients } = await json('client', 'list', '--account', 'acme');
    const listed = clients.find(({ client_id }: { client_id: string }) => client_id === created.client_id);
    expect(listed.scope).toBe('records:read manage');
  });

  it('belongs to its account [1, contract 5]', async () => {
    const { client_id } = await json('client', 'create', '--account', 'beta', '--name', 'Other');
    const ids = async (slug: string): Promise<string[]> =>
      (await json('client', 'list', '--account', slug)).clients.map((each: any) => each.client_id);
    expect(await ids('beta')).toEqual([client_id]);
    expect(await ids('acme')).not.toContain(client_id);
  });

  it.each([
    [['create', '--account', 'nope', '--name', 'x'], 'There is no account nope'],
    [['rotate', UNKNOWN_ID], 'Client not found'],
    [['rotate', 'nope'], 'Client not found'],
    [
      ['create', '--account', 'acme', '--name', 'x', '--scope', 'records:read nope'],
      "error: option '--scope <scopes>' argument 'records:read nope' is invalid. " +
        'Known scopes: records:read records:write routers:read directory:read dispatch availability manage.',
    ],
    [
      ['create', '--account', 'acme', '--name', 'x', '--scope', ''],
      "error: option '--scope <scopes>' argument '' is invalid. " +
        'Known scopes: records:read records:write routers:read directory:read dispatch availability manage.',
    ],
    [['create', '--account', 'acme', '--name', ' '], 'name must be a text of 1 to 200 characters'],
    [['create', '--account', 'acme'], "error: required option '--name <name>' not specified"],
    [['rotate'], "error: missing required argument 'client_id'"],
    [['explode'], "error: unknown command 'explode'"],
    [['list', '--account', 'acme', '--nope'], "error: unknown option '--nope'"],
  ])('command %j fails with 1 and says why on standard error [contract 5]', async (args, message) => {
    const before = await service.account('acme');
    expect(await cli('client', ...args)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
    expect(await service.account('acme')).toEqual(before);
  });

  it('command prints its errors on standard error with --json as well [contract 5]', async () => {
    const { code, stdout, stderr } = await cli('--json', 'client', 'list', '--account', 'nope');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no account nope\n' });
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: 'There is no account nope' } });
  });
});

describe('the command line', () => {
  it('without a command shows its help on standard error and fails [contract 5]', async () => {
    const { code, stdout, stderr } = await cli();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('Usage: fairlead');
  });

  it('explains each command [contract 5]', async () => {
    for (const [command, ...options] of [
      ['apply', '<file>', '--dry-run', '--json'],
      ['export', '--account <slug>', '--json'],
      ['client', 'create', 'list', 'rotate', 'revoke'],
    ]) {
      const { code, stdout } = await cli(command!, '--help');
      expect(code).toBe(0);
      for (const option of options) expect(stdout).toContain(option);
    }
  });
});
