import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Programs } from '../support/processes/program.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const AWAY = { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/name' };

const programs = new Programs();
let database: TestDatabase;
let known: { readonly DATABASE_URL: string };

beforeAll(async () => {
  database = await createTestDatabase();
  known = { DATABASE_URL: database.url };
});
afterEach(() => programs.end());
afterAll(() => database.drop());

/** Runs a command that must fail with 1. @returns its document, and what it says on standard error */
async function failure(
  args: readonly string[],
  env: Record<string, string>,
  options: { input?: string; cwd?: string } = {},
): Promise<{ error: { message: string; errors: unknown[] }; stderr: string }> {
  const { code, stdout, stderr } = await programs.cli(args, env, options);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout + stderr).not.toContain('hunter2');
  const document = JSON.parse(stdout);
  expect(Object.keys(document)).toEqual(['error']);
  expect(Object.keys(document.error)).toEqual(['message', 'errors']);
  return { ...document, stderr };
}

/** The only entry of `errors` where no part of the input failed. */
const alone = (message: string): object => ({ message, errors: [{ path: null, line: null, message }] });

describe('a command with --json that fails prints one document on standard output', () => {
  it.each([
    [
      'an external one',
      ['account', 'list', '--json'],
      /^Cannot connect to the database at DATABASE_URL: .*ECONNREFUSED/,
    ],
    [
      'a dump of it',
      ['dump', 'x', '--json'],
      /^Cannot connect to the database at DATABASE_URL: .*ECONNREFUSED/,
    ],
  ])('where the database cannot be used: %s [contract 5]', async (_, args, message) => {
    const { error, stderr } = await failure(args, AWAY);
    expect(error).toEqual(alone(error.message));
    expect(error.message).toMatch(message);
    expect(stderr).toBe(`${error.message}\n`);
  });

  it.each<[string, readonly string[], string]>([
    ['the command is unknown', ['explode', '--json'], "unknown command 'explode'"],
    ['the command is unknown, and its option', ['explode', '--loud', '--json'], "unknown command 'explode'"],
    ['a part of the command is unknown', ['client', 'explode', '--json'], "unknown command 'explode'"],
    ['its option is unknown', ['account', 'list', '--loud', '--json'], "unknown option '--loud'"],
    ['its option is unknown, behind --json', ['--json', 'migrate', '--loud'], "unknown option '--loud'"],
    ['no command is given', ['--json'], 'A command is missing: --help lists them'],
    ['half a command is given', ['client', '--json'], 'A command is missing: --help lists them'],
    [
      'an option is missing',
      ['client', 'list', '--json'],
      "required option '--account <slug>' not specified",
    ],
    ['an argument is missing', ['apply', '--json'], "missing required argument 'file'"],
    [
      'an option is wrong',
      ['client', 'create', '--account', 'a', '--name', 'A', '--scope', 'all', '--json'],
      "option '--scope <scopes>' argument 'all' is invalid. Known scopes:",
    ],
    ['the account is unknown', ['client', 'list', '--account', 'nope', '--json'], 'There is no account nope'],
    ['the client is unknown', ['client', 'revoke', 'nope', '--json'], 'Client not found'],
    ['a file is missing', ['apply', 'nowhere.yaml', '--json'], 'Cannot read nowhere.yaml: ENOENT'],
  ])('where %s [contract 5]', async (_, args, message) => {
    const { error } = await failure(args, known);
    expect(error).toEqual(alone(error.message));
    expect(error.message).toContain(message);
  });

  it('with each variable of an invalid environment [contract 5]', async () => {
    const { error, stderr } = await failure(['account', 'list', '--json'], { LOG_LEVEL: 'loud', PORT: 'x' });
    expect(error.errors).toEqual([
      { path: 'PORT', line: null, message: 'PORT must be a whole number from 0 to 65535 (it is "x")' },
      { path: 'LOG_LEVEL', line: null, message: expect.stringMatching(/^LOG_LEVEL must be one of /) },
    ]);
    expect(stderr).toBe(`${error.message}\n`);
  });

  it('with each key of an invalid configuration file, and its place [contract 5]', async () => {
    const shape = await failure(['apply', '-', '--json'], AWAY, {
      input: 'accounts:\n  - slug: Acme!\n    users:\n      - email: nobody\n    colour: red\n',
    });
    expect(shape.error.errors).toEqual([
      {
        path: 'accounts[0].colour',
        line: 5,
        column: 5,
        message: expect.stringMatching(/^Unknown key: colour \(allowed: slug, /),
      },
      {
        path: 'accounts[0].slug',
        line: 2,
        column: 5,
        message: expect.stringMatching(/^slug must be 1 to 63 /),
      },
      { path: 'accounts[0].users[0].email', line: 4, column: 9, message: 'email must be an email' },
    ]);
    const syntax = await failure(['apply', '-', '--json'], AWAY, {
      input: 'accounts:\n  - slug: a\n   b: x\n',
    });
    expect(syntax.error.errors).toContainEqual({
      path: null,
      line: 3,
      column: 1,
      message: expect.stringContaining('at line 3'),
    });
    const names = await failure(['apply', '-', '--json'], known, {
      input:
        'accounts:\n  - slug: acme\n    teams:\n      - name: New\n        members: [nobody@acme.test]\n',
    });
    const message = 'nobody@acme.test is not a user of the account';
    expect(names.error).toEqual({
      message: `accounts[0].teams[0].members[0]: ${message}`,
      errors: [{ path: 'accounts[0].teams[0].members[0]', line: 5, column: 19, message }],
    });
  });

  it('with the line of a file of records [contract 5]', async () => {
    const input = 'accounts: [{ slug: a, routers: [{ name: R, object_type: contacts, settings: {} }] }]';
    expect(await programs.cli(['apply', '-'], known, { input })).toMatchObject({ code: 0 });
    const args = ['simulate', '--account', 'a', '--router', 'R', '--file', '-', '--json'];
    const message = 'Line 3 is not a JSON object';
    expect((await failure(args, known, { input: '{}\n\n[]\n' })).error).toEqual({
      message,
      errors: [{ path: null, line: 3, message }],
    });

    const records = '{}\n{"city":\n{\n{"create_date": 1, "nope": 1}\n{"city": []}\n7';
    const { error, stderr } = await failure(args, known, { input: records });
    expect(error.errors).toEqual([
      { path: null, line: 2, message: 'Line 2 is not JSON' },
      { path: null, line: 3, message: 'Line 3 is not JSON' },
      { path: 'create_date', line: 4, message: 'Field cannot be set: create_date' },
      { path: 'nope', line: 4, message: 'Unknown field: nope' },
      { path: 'city', line: 5, message: 'city must be a string, a number or a boolean' },
      { path: null, line: 6, message: 'Line 6 is not a JSON object' },
    ]);
    expect(error.message.split('\n').slice(1, 3)).toEqual([
      'Line 3 is not JSON',
      'Line 4: Field cannot be set: create_date',
    ]);
    expect(stderr).toBe(`${error.message}\n`);
  });
});

it('help is no failure, and without --json a failure prints nothing on standard output [contract 5]', async () => {
  const help = await programs.cli(['account', 'list', '--help', '--json'], {});
  expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^Usage: fairlead account list /);
  for (const args of [['account', 'list', '--colour'], ['client', 'list', '--account', 'nope'], ['client']]) {
    expect(await programs.cli(args, known)).toMatchObject({ code: 1, stdout: '' });
  }
});

it('a file that nests too deep to be read ends no process, and gets the document [contract 5]', async () => {
  const cwd = programs.folder();
  for (const depth of [1_100, 1_600, 50_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{a: ', '}'],
      ['- ', ''],
    ] as const) {
      writeFileSync(join(cwd, 'deep.yaml'), open.repeat(depth) + close.repeat(depth));
      const { error } = await failure(['apply', 'deep.yaml', '--json'], known, { cwd });
      expect(error.message).toMatch(/too deep|must be an object|Unknown key|must be an array/);
    }
  }
});
