// Tries what is shipped: the packed project, installed in an empty folder as a user would, and the image of the
// Dockerfile, whose steps are carried out without a container. Prints a line for each check.
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../bench/support/free-port.mjs';
import { check, expectEqual, finish } from './support/checks.mjs';
import { buildImage, environmentOf, healthCheckOf, only } from './support/image.mjs';
import { expectSuccess, newFolder, printed, run, stop } from './support/programs.mjs';
import { ask, demoServer, makeTour } from './support/tour.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The user of the image. */
const NODE = 1000;

const CONTENTS = [
  /^(LICENSE|README\.md|THIRD-PARTY-LICENSES\.md|package\.json|\.env\.example)$/,
  /^dist\/(src|migrations)\/.*\.(js|d\.ts)$/,
];

/** @returns the packed project */
async function pack() {
  // What `prepack` would build is built, but `npm start` does so without declarations.
  if (!existsSync(join(root, 'dist/src/index.d.ts'))) {
    await expectSuccess(process.execPath, ['scripts/build.mjs'], { cwd: root });
  }
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
  await makeTour(await demoServer(server));
  const closed = once(server.child, 'close');
  process.kill(-server.child.pid, 'SIGINT');
  await closed;
  if (!server.output.includes('"stopping"')) throw new Error(server.output);
}

/** Makes a database that listens on a socket of its own user reachable for others. @returns its address */
async function overTcp(url) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const folder = decodeURIComponent(hostname) || searchParams.get('host');
  const server = createServer((client) => {
    const database = connect(folder.startsWith('/') ? join(folder, `.s.PGSQL.${port || 5432}`) : { port });
    client.pipe(database).pipe(client);
    for (const socket of [client, database]) socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `postgres://${username}:${password}@127.0.0.1:${server.address().port}${pathname}`;
}

/** Makes all of a folder unwritable, also for its owner. */
function makeReadOnly(folder) {
  for (const path of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (path.isSymbolicLink()) continue;
    chmodSync(join(path.parentPath, path.name), path.isDirectory() ? 0o555 : 0o444);
  }
  chmodSync(folder, 0o555);
}

/** Runs the image as its user, on a PostgreSQL of its own, with nothing that it could write. */
async function startImage({ folder, steps }) {
  expectEqual(only(steps, 'USER'), 'node');
  makeReadOnly(folder);
  const { EmbeddedPostgres } = createRequire(import.meta.url)(
    '../dist/src/database/embedded/embedded-postgres.js',
  );
  const dataDir = join(newFolder('database'), 'data');
  mkdirSync(dataDir);
  const postgres = await EmbeddedPostgres.open({ dataDir });
  try {
    const [program, ...args] = only(steps, 'ENTRYPOINT');
    const secrets = { DATABASE_URL: await overTcp(postgres.url), JWT_SECRET: 'x'.repeat(32) };
    const changed = { HOST: '127.0.0.1', PORT: String(await freePort()), DRAIN_SECONDS: '0' };
    const env = { ...environmentOf(steps), ...secrets, ...changed };
    const options = { cwd: folder, env, ...(process.getuid() === 0 ? { uid: NODE, gid: NODE } : {}) };
    await expectSuccess(program, [...args, 'migrate'], options);
    const server = run(program, [...args, ...only(steps, 'CMD')], options);
    await printed(server, /"listening"/);
    await ask(`http://127.0.0.1:${env.PORT}`, 200, { path: '/health/ready' });
    const [probe, ...probeArgs] = healthCheckOf(steps);
    await expectSuccess(probe, probeArgs, options);
    await stop(server);
    const unhealthy = run(probe, probeArgs, options);
    const [code] = await once(unhealthy.child, 'close');
    expectEqual(code, 1);
  } finally {
    await postgres.close();
  }
}

const tarball = await check('npm pack has what is needed to run, and nothing else', pack);
if (tarball !== undefined) {
  const folder = await check('the package is installed in an empty folder', () => install(tarball));
  if (folder !== undefined) await check('npx fairlead start: start, tour, stop', () => startPacked(folder));
}
const image = await check('the steps of the Dockerfile make an image', () => buildImage(root));
if (image !== undefined) {
  await check('the image runs on a file system that it cannot write, not as root', () => startImage(image));
}
finish();
