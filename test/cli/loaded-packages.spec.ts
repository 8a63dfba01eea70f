import { join } from 'node:path';
import { Programs, type Environment } from '../support/processes/program.js';
import { createTestDatabase } from '../support/database/test-database.js';

const LISTED = { NODE_OPTIONS: `--require ${join(__dirname, '../support/processes/list-packages.cjs')}` };

const OF_ROUTES = /^(@nestjs\/(jwt|passport|platform-express|swagger)|express|helmet|ipaddr\.js|passport.*)$/;

const programs = new Programs();
afterEach(() => programs.end());

/** Runs a command. @returns the packages that it has loaded */
async function packagesOf(args: readonly string[], env: Environment = {}): Promise<string[]> {
  const { stderr } = await programs.process(args, { ...LISTED, ...env });
  return JSON.parse(stderr.slice(stderr.lastIndexOf('\n')));
}

describe('the command line loads what it runs, and nothing else', () => {
  it.each([['--help'], ['--version'], ['client --help'], ['explode'], ['apply --explode']])(
    'for %s, the parser of the arguments',
    async (args) => {
      expect(await packagesOf(args.split(' '))).toEqual(['commander', 'luxon', 'reflect-metadata']);
    },
  );

  it('for a command with services, neither the routes nor what only they need', async () => {
    const database = await createTestDatabase();
    const packages = await packagesOf(['account', 'list'], { DATABASE_URL: database.url });
    await database.drop();
    expect(packages).toEqual(expect.arrayContaining(['@nestjs/core', 'class-validator', 'typeorm']));
    expect(packages.filter((name) => OF_ROUTES.test(name))).toEqual([]);
  });
});
