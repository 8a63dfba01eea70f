import { Programs } from '../support/processes/program.js';
import { createTestDatabase } from '../support/database/test-database.js';

const programs = new Programs();
afterEach(() => programs.end());

const AWAY = { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/name' };

describe('the command line as a program', () => {
  it('prints help and ends with 0 [contract 5]', async () => {
    const help = await programs.process(['--help'], {});
    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^Usage: fairlead /);
    expect(help).toEqual(await programs.cli(['--help'], {}));
  });

  it('prints why it fails on standard error, and with --json as one document too [contract 5]', async () => {
    const message = 'Cannot connect to the database at DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1';
    const { code, stdout, stderr } = await programs.process(['account', 'list', '--json'], AWAY);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${message}\n` });
    expect(JSON.parse(stdout)).toEqual({ error: { message, errors: [{ path: null, line: null, message }] } });
  });

  it('reads standard input, ends with the code of the command, and does not stay [contract 5]', async () => {
    const database = await createTestDatabase();
    const input = 'accounts: [{ slug: acme }]';
    const env = { DATABASE_URL: database.url };
    const stdout = 'acme: create account acme\n';
    const ended = await programs.process(['apply', '-', '--dry-run'], env, { input });
    expect(ended).toEqual({ code: 2, stdout, stderr: '' });
    await database.drop();
  });
});
