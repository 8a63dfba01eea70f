// Installs the packed project and the examples in an empty workspace, as a team would, and tries them there: their
// declarations compile, their tests pass, and the stock command line works with them. Prints a line for each check.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const examples = ['phone-field', 'priority-model', 'notes'];

const folder = mkdtempSync(join(tmpdir(), 'fairlead-examples-'));
const workspace = join(folder, 'workspace');
/** Data directories, those of the examples' tests included. */
const run = join(folder, 'run');

const LONGEST = 180_000;

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

const children = new Set();
let stopping = false;
let passed = 0;
let failed = 0;

/** Runs a program to its end. @returns its exit code and all that it printed */
function execute(command, args, { cwd = workspace, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    if (stopping) return reject(new Error('interrupted'));
    // A process group of its own, so that what it starts can be ended with it.
    const child = spawn(command, args, { cwd, env: environment(env), detached: true, timeout: LONGEST });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => {
      children.delete(child);
      resolve({ code, output });
    });
  });
}

/** The environment without settings of the service, and without what `npm run` tells its children about this project. */
function environment(more) {
  const settings = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm);
  const env = { ...process.env, TMPDIR: run, DATA_DIR: join(run, 'stock', 'data'), ...more };
  for (const [, name] of settings) if (name !== 'DATA_DIR' && !(name in more)) delete env[name];
  for (const name of Object.keys(env))
    if (/^npm_(package|lifecycle|config_local)_/.test(name)) delete env[name];
  return env;
}

/** @throws what the program printed, unless it ends as it should */
async function expectSuccess(command, args, options) {
  const { code, output } = await execute(command, args, options);
  if (code !== 0) throw new Error(`exit code ${code}:\n${output}`);
  return output;
}

function expectEqual(actual, expected) {
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (found !== wanted) throw new Error(`found ${found}\nnot   ${wanted}`);
}

async function check(name, work) {
  const startedAt = Date.now();
  try {
    await work();
    passed += 1;
    console.log(`ok      ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.message.replace(/^/gm, '        ')}`);
  }
}

async function install() {
  for (const path of [workspace, run]) mkdirSync(path);
  await expectSuccess('npm', ['run', '-s', 'built'], { cwd: root });
  // What `prepack` would build is built.
  await expectSuccess('npm', ['pack', '--ignore-scripts', '--pack-destination', workspace], { cwd: root });
  for (const example of examples) {
    cpSync(join(root, 'examples', example), join(workspace, example), {
      recursive: true,
      filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
    });
  }
  const [tarball] = readdirSync(workspace).filter((name) => name.endsWith('.tgz'));
  const manifest = { private: true, workspaces: examples, dependencies: { fairlead: `file:${tarball}` } };
  writeFileSync(join(workspace, 'package.json'), JSON.stringify(manifest));
  await expectSuccess('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund']);
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

const node = (...args) => expectSuccess(process.execPath, args);

async function expectLoads(script, ...flags) {
  expectEqual((await node(...flags, '-e', script)).trim(), 'function object');
}

const compile = (example) => node('node_modules/typescript/bin/tsc', '-p', example);
const test = (example) => expectSuccess('npm', ['test'], { cwd: join(workspace, example) });
const stock = (args, env) => execute(join(workspace, 'node_modules/.bin/fairlead'), args, { env });

async function refusesToStart() {
  const { code, output } = await execute('npx', ['--no', 'fairlead-server'], {
    env: { EXTENSIONS: 'missing' },
  });
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

let cleaned;

/** Ends what is still running, once: programs, and databases that have outlived theirs. */
function clean() {
  stopping = true;
  return (cleaned ??= endAll());
}

async function endAll() {
  for (const { pid } of children) end(-pid, 'SIGTERM');
  for (let waited = 0; children.size > 0 && waited < 10_000; waited += 100) await delay(100);
  for (const { pid } of children) end(-pid, 'SIGKILL');
  const files = existsSync(run) ? readdirSync(run, { recursive: true }) : [];
  for (const file of files.filter((name) => basename(name) === 'postmaster.pid')) {
    const [pid] = readFileSync(join(run, file), 'utf8').split('\n');
    if (!end(Number(pid), 'SIGQUIT')) continue;
    // One that nobody reaps stays a zombie.
    for (let waited = 0; waited < 2_000 && end(Number(pid), 0); waited += 50) await delay(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** @returns whether there was such a process */
function end(pid, signal) {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    void clean().finally(() => process.exit(1));
  });
}

try {
  await check('the packed project and the examples are installed', install);
  if (failed === 0) {
    await check('they share one copy of what they build on', expectOneCopy);
    await Promise.all(examples.map((example) => check(`${example} compiles`, () => compile(example))));
    const ask = 'console.log(typeof FairleadModule.forRoot, typeof Settings.prototype)';
    await check('require loads it', () =>
      expectLoads(`const { FairleadModule, Settings } = require('fairlead'); ${ask}`),
    );
    await check('import loads it', () =>
      expectLoads(`import { FairleadModule, Settings } from 'fairlead'; ${ask}`, '--input-type=module'),
    );
    await check('npx fairlead --help works', () => expectSuccess('npx', ['--no', 'fairlead', '--help']));
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
} finally {
  await clean();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
