import { join } from 'node:path';
import { Programs } from '../support/program.js';

const LISTED = { NODE_OPTIONS: `--require ${join(__dirname, '../support/list-packages.cjs')}` };

const programs = new Programs();
afterEach(() => programs.end());

/** Runs a command. @returns the packages that it has loaded */
async function packagesOf(args: readonly string[]): Promise<string[]> {
  const { stderr } = await programs.cli(args, LISTED);
  return JSON.parse(stderr.slice(stderr.lastIndexOf('\n')));
}

describe('the command line loads what it runs, and nothing else', () => {
  it.each([['--help'], ['--version'], ['client --help'], ['explode'], ['apply --explode']])(
    'for %s, the parser of the arguments',
    async (args) => {
      expect(await packagesOf(args.split(' '))).toEqual(['commander', 'luxon', 'reflect-metadata']);
    },
  );
});
