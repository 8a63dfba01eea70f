// Shows that tools accept docs/openapi.json: linters have no finding, and generators make clients of it that compile
// and that use a service from the token to the archive. Prints a line for each check.
import { execFile } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDemoService } from '../scripts/support/demo-service.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');
const DOCUMENT = '../docs/openapi.json';
const GENERATED = join(here, 'generated');

let passed = 0;
let failed = 0;

/** Runs a program of this folder to its end. @throws Error with what it printed, unless it ends as it should */
async function run(command, args, { cwd = here, env = {} } = {}) {
  const options = { cwd, env: { ...process.env, CI: 'true', ...env }, maxBuffer: 1e8, timeout: 300_000 };
  try {
    return await promisify(execFile)(command, args, options);
  } catch ({ message, stdout = '', stderr = '' }) {
    throw new Error([message, stdout, stderr].join('\n'));
  }
}

const tool = (name, ...args) => run(join(here, 'node_modules/.bin', name), args);

async function check(name, work) {
  const startedAt = Date.now();
  try {
    await work();
    passed += 1;
    console.log(`ok      ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.message.replace(/^/gm, '        ')}`);
    return false;
  }
}

const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Installs the tools where they are not, or where others are wanted. None of them needs a script for it. */
async function install() {
  const installed = changedAt(join(here, 'node_modules/.package-lock.json'));
  if (installed > changedAt(join(here, 'package-lock.json'))) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
}

/** How each client is generated. Its tour has its name. */
const CLIENTS = {
  'openapi-typescript': () => tool('openapi-typescript', DOCUMENT, '-o', 'generated/openapi-typescript.ts'),
  'hey-api': () => tool('openapi-ts', '-f', 'hey-api.config.mjs'),
  orval: () => tool('orval', '--config', 'orval.config.cjs'),
};

async function generate() {
  rmSync(GENERATED, { recursive: true, force: true });
  for (const client of Object.values(CLIENTS)) await client();
}

/** Makes each tour one file that node runs. */
function bundle() {
  const entries = Object.keys(CLIENTS).map((name) => `tours/${name}.ts`);
  const flags = ['--bundle', '--format=esm', '--platform=node', '--out-extension:.js=.mjs'];
  return tool('esbuild', ...entries, ...flags, '--outdir=generated/tours', '--log-level=error');
}

async function tour() {
  await run('npm', ['run', '-s', 'built'], { cwd: root });
  const { url, clientId, clientSecret, stop } = await startDemoService();
  const env = { BASE_URL: url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  try {
    for (const name of Object.keys(CLIENTS)) {
      const file = join(GENERATED, 'tours', `${name}.mjs`);
      await check(`the client of ${name} uses the service`, () => run(process.execPath, [file], { env }));
    }
  } finally {
    await stop();
  }
}

if (await check('the tools are installed', install)) {
  await check('Spectral has no finding, by its own rules and those of OWASP', () =>
    tool('spectral', 'lint', DOCUMENT, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'),
  );
  await check('Redocly has no finding', () =>
    tool('redocly', 'lint', DOCUMENT, '--config', 'redocly.yaml', '--max-problems', '20'),
  );
  if (await check('openapi-typescript, hey-api and orval generate clients', generate)) {
    await check('the clients compile under strict, and so do their tours', () => tool('tsc', '-p', '.'));
    if (await check('the tours are bundled', bundle)) await check('the service starts and stops', tour);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
