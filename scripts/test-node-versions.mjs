// Runs the service with each release line of Node.js that it supports: it starts on a new embedded database, a client
// makes the tour of the README, it stops; then the unit tests of what depends on the runtime. Prints a line for each
// check. The npm packages node-<platform>-<processor> have the binaries.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, expectEqual, finish } from './support/checks.mjs';
import { expectSuccess, newFolder, printed, run, stop } from './support/programs.mjs';
import { demoServer, makeTour } from './support/tour.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The first one that is supported, and the newest of the other lines when this was written. */
const VERSIONS = ['20.19.0', '22.23.3', '24.21.0'];

/** What may differ between versions: texts, hosts, dates, numbers, regular expressions, sockets. */
const UNITS = [
  'src/fields/types',
  'src/text',
  'src/directory',
  'src/settings',
  'src/http/',
  'src/engine/trigger',
];

/** @returns the binary of that version */
async function install(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const place = newFolder('node');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefer-offline'];
  await expectSuccess('npm', ['install', '--prefix', place, ...flags, `${name}@${version}`]);
  const binary = join(place, 'node_modules', name, 'bin', 'node');
  expectEqual((await expectSuccess(binary, ['--version'])).trim(), `v${version}`);
  return binary;
}

async function startAndTour(binary) {
  const server = run(binary, [join(root, 'dist/src/main.js')], {
    cwd: newFolder('run'),
    env: { PORT: '0', DRAIN_SECONDS: '0', METRICS_PORT: '0' },
  });
  await makeTour(await demoServer(server));
  const [, metrics] = await printed(server, /"url":"(http:\/\/[^"]+\/metrics)"/);
  const text = await (await fetch(metrics)).text();
  if (!text.includes('fairlead_dispatch_decisions_total{')) throw new Error(text);
  await stop(server);
}

function unit(binary) {
  const jest = ['node_modules/jest/bin/jest.js', ...UNITS, '--ci', '--silent', '--selectProjects', 'unit'];
  return expectSuccess(binary, jest, { cwd: root });
}

for (const version of VERSIONS) {
  const binary = await check(`Node.js ${version} is installed`, () => install(version));
  if (binary === undefined) continue;
  await check(`Node.js ${version}: start, tour, stop`, () => startAndTour(binary));
  await check(`Node.js ${version}: unit tests`, () => unit(binary));
}
finish();
