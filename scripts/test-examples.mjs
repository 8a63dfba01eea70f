// Installs the packed project and the examples in an empty workspace, as a team would, and tries them there: their
// declarations compile, their tests pass, and the stock command line works with them. Prints a line for each check.
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, expectEqual, finish } from './support/checks.mjs';
import { expectSuccess, newFolder, run } from './support/programs.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const examples = ['phone-field', 'priority-model', 'notes'];

const workspace = newFolder('examples');
/** Data directories, those of the examples' tests included. */
const TMPDIR = newFolder('run');
const ENV = { TMPDIR, DATA_DIR: join(TMPDIR, 'data') };

/** What must be the same for the service and its extensions. */
const SHARED = ['@nestjs/common', '@nestjs/core', '@nestjs/swagger', 'class-validator', 'typeorm'];

/** An account that needs two examples, and records whose routing shows what these do. */
const ACCOUNT = {
  slug: 'acme',
  fields: [
    { object_type: 'contacts', internal_name: 'mobile', label: 'Mobile', type: 'phone' },
    { object_type: 'contacts', internal_name: 'time_zone', label: 'Time zone', type: 'string' },
  ],
  users: [
    { email: 'ada@acme.test', timezone: 'Europe/London' },
    { email: 'bob@acme.test', timezone: 'Asia/Tokyo' },
  ],
  routers: [
    {
      name: 'British',
      object_type: 'contacts',
      published: true,
      settings: {
        distribution_model: 'priority',
        trigger: {
          groups: [
            {
              conditions: [
                { field: 'mobile', operator: 'country_is', value: 'GB' },
                { field: 'mobile', operator: 'eq', value: '+442079460958' },
              ],
            },
          ],
        },
      },
      users: [{ email: 'ada@acme.test' }, { email: 'bob@acme.test' }],
    },
  ],
};
const RECORDS = [
  { mobile: '+44 20 7946 0958' },
  { mobile: '+44 (0)20-7946-0958' },
  // Too far from London, so that Tokyo gets it.
  { mobile: '+44 20 7946 0958', time_zone: 'Asia/Seoul' },
  { mobile: '+33 1 23 45 67 89' },
];
const EXTENSIONS = 'fairlead-phone-field,fairlead-priority-model';

/** Runs a program of the workspace to its end. @returns its exit code and all that it printed */
async function execute(command, args, env = {}) {
  const program = run(command, args, { cwd: workspace, env: { ...ENV, ...env }, detached: true });
  const [code] = await once(program.child, 'close');
  return { code, output: program.output };
}

/** @throws what the program printed, unless it ends as it should */
const succeed = (command, args, cwd = workspace) =>
  expectSuccess(command, args, { cwd, env: ENV, detached: true });

async function install() {
  await succeed('npm', ['run', '-s', 'built'], root);
  // What `prepack` would build is built.
  await succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', workspace], root);
  for (const example of examples) {
    cpSync(join(root, 'examples', example), join(workspace, example), {
      recursive: true,
      filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
    });
  }
  const [tarball] = readdirSync(workspace).filter((name) => name.endsWith('.tgz'));
  const manifest = { private: true, workspaces: examples, dependencies: { fairlead: `file:${tarball}` } };
  writeFileSync(join(workspace, 'package.json'), JSON.stringify(manifest));
  await succeed('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund']);
  return true;
}

function expectOneCopy() {
  const owners = [join(workspace, 'node_modules/fairlead'), ...examples.map((name) => join(workspace, name))];
  const copies = owners.flatMap((owner) => SHARED.map((name) => join(owner, 'node_modules', name)));
  expectEqual(copies.filter(existsSync), []);
  expectEqual(
    SHARED.filter((name) => !existsSync(join(workspace, 'node_modules', name))),
    [],
  );
}

const node = (...args) => succeed(process.execPath, args);

async function expectLoads(script, ...flags) {
  expectEqual((await node(...flags, '-e', script)).trim(), 'function object');
}

const compile = (example) => node('node_modules/typescript/bin/tsc', '-p', example);
const test = (example) => succeed('npm', ['test'], join(workspace, example));
const stock = (args, env) => execute(join(workspace, 'node_modules/.bin/fairlead'), args, env);

async function refusesToStart() {
  const { code, output } = await execute('npx', ['--no', 'fairlead-server'], { EXTENSIONS: 'missing' });
  expectEqual(code, 1);
  if (!output.includes('EXTENSIONS names missing, which cannot be loaded')) throw new Error(output);
}

async function applies() {
  writeFileSync(join(workspace, 'accounts.json'), JSON.stringify({ accounts: [ACCOUNT] }));
  const { code, output } = await stock(['apply', 'accounts.json'], { EXTENSIONS });
  if (code !== 0) throw new Error(output);
}

async function routes() {
  writeFileSync(
    join(workspace, 'records.ndjson'),
    RECORDS.map((record) => JSON.stringify(record)).join('\n'),
  );
  const args = ['simulate', '--account', 'acme', '--router', 'British', '--file', 'records.ndjson', '--json'];
  const { output } = await stock(args, { EXTENSIONS });
  const { users, reasons } = JSON.parse(output.slice(output.indexOf('{')));
  expectEqual(
    users.map(({ user, records }) => [user, records]),
    [
      ['ada@acme.test', 2],
      ['bob@acme.test', 1],
    ],
  );
  expectEqual(
    reasons.map(({ reason, records }) => [reason, records]),
    [
      ['priority', 3],
      ['trigger_not_matched', 1],
    ],
  );
}

async function refuses() {
  const other = { slug: 'other', fields: ACCOUNT.fields };
  writeFileSync(join(workspace, 'other.json'), JSON.stringify({ accounts: [other] }));
  const { code, output } = await stock(['apply', 'other.json'], {});
  expectEqual(code, 1);
  const known = 'type must be one of string, number, bool, datetime, enumeration, user';
  if (!output.includes(known)) throw new Error(output);
}

if (await check('the packed project and the examples are installed', install)) {
  await check('they share one copy of what they build on', expectOneCopy);
  await Promise.all(examples.map((example) => check(`${example} compiles`, () => compile(example))));
  const ask = 'console.log(typeof FairleadModule.forRoot, typeof Settings.prototype)';
  await check('require loads it', () =>
    expectLoads(`const { FairleadModule, Settings } = require('fairlead'); ${ask}`),
  );
  await check('import loads it', () =>
    expectLoads(`import { FairleadModule, Settings } from 'fairlead'; ${ask}`, '--input-type=module'),
  );
  await check('npx fairlead --help works', () => succeed('npx', ['--no', 'fairlead', '--help']));
  await check('npx fairlead-server names an extension that it cannot find', refusesToStart);
  await Promise.all([
    check('notes passes its tests', () => test('notes')),
    (async () => {
      await check('phone-field passes its tests', () => test('phone-field'));
      await check('priority-model passes its tests', () => test('priority-model'));
      await check('the command line applies what EXTENSIONS add', applies);
      await check('the command line routes by it', routes);
      await check('the command line refuses it without EXTENSIONS, naming the known types', refuses);
    })(),
  ]);
}
finish();
