// Tries what is shipped: the packed project, installed in an empty folder as a user would. Prints a line for each check.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, expectEqual, finish } from './support/checks.mjs';
import { expectSuccess, newFolder, run } from './support/programs.mjs';
import { demoServer, makeTour } from './support/tour.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const CONTENTS = [
  /^(LICENSE|README\.md|THIRD-PARTY-LICENSES\.md|package\.json|\.env\.example)$/,
  /^dist\/(src|migrations)\/.*\.(js|d\.ts)$/,
  /^dist\/console\/(index\.html|assets\/[\w.-]+\.(js|css|svg)(\.br)?)$/,
];

/** @returns the packed project */
async function pack() {
  const folder = newFolder('packed');
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const output = JSON.parse(await expectSuccess('npm', args, { cwd: root }));
  const [{ filename, files }] = Object.values(output);
  const paths = files.map(({ path }) => path);
  expectEqual(
    paths.filter((path) => !CONTENTS.some((known) => known.test(path)) || /\.spec\.|\/testing\//.test(path)),
    [],
  );
  const migrations = readdirSync(join(root, 'migrations'), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `dist/migrations/${name}`);
  const needed = [
    'LICENSE',
    'README.md',
    'THIRD-PARTY-LICENSES.md',
    ...['main', 'cli', 'index'].map((name) => `dist/src/${name}.js`),
    'dist/src/index.d.ts',
    'dist/console/index.html',
    ...migrations.map((path) => path.replace(/\.ts$/, '.js')),
  ];
  expectEqual(
    needed.filter((path) => !paths.includes(path)),
    [],
  );
  return join(folder, filename);
}

/** @returns a folder that was empty, with the package and what it needs */
async function install(tarball) {
  const folder = newFolder('empty');
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await expectSuccess('npm', ['install', ...flags, tarball], { cwd: folder });
  return folder;
}

async function startPacked(cwd) {
  const env = { PORT: '0', DRAIN_SECONDS: '0' };
  // As on a terminal, where Ctrl-C reaches npx and the service.
  const server = run('npx', ['--no', 'fairlead', 'start'], { cwd, env, detached: true });
  const demo = await demoServer(server);
  await makeTour(demo);
  const page = await fetch(`${demo.address}/console/`);
  if (!/<div id="root">/.test(await page.text())) throw new Error('/console/ is not the console');
  const closed = once(server.child, 'close');
  process.kill(-server.child.pid, 'SIGINT');
  await closed;
  if (!server.output.includes('"stopping"')) throw new Error(server.output);
}

const tarball = await check('npm pack has what is needed to run, and nothing else', pack);
if (tarball !== undefined) {
  const folder = await check('the package is installed in an empty folder', () => install(tarball));
  if (folder !== undefined) await check('npx fairlead start: start, tour, stop', () => startPacked(folder));
}
finish();
