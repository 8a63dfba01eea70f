// Starts one embedded PostgreSQL for all test files, with a migrated template that each test file copies.
// Plain CommonJS on the compiled service: jest maps no module names here, and the tests of the command line
// use the compiled service too.
const { execFileSync } = require('node:child_process');
const { chmodSync, mkdtempSync, realpathSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Client } = require('pg');
const { reapAfterwards } = require('./reaper.cjs');

const root = join(__dirname, '..', '..');
const TEMPLATE = 'fairlead_template';

/** Makes the folder of the test run, which has all temporary folders of the tests, also of other users. */
function createFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-test-')));
  chmodSync(folder, 0o1777);
  reapAfterwards(folder);
  process.env.TMPDIR = folder;
  return folder;
}

/** Makes the cluster of the test run, in which the role of the service may make further databases. */
async function createCluster(dataDir) {
  const embedded = (name) => require(join(root, `dist/src/database/embedded/${name}.js`));
  const layout = await embedded('data-directory').prepareDataDirectory(dataDir);
  const account = await embedded('service-account').serviceAccount(undefined);
  const binaries = await embedded('native-binaries').nativeBinaries(account);
  const password = await embedded('password-file').loadPassword(layout, false);
  await embedded('cluster-initialiser').initialiseCluster(layout, { binaries, account, password });
  const asSuperuser = { binaries, account, database: 'postgres', options: ['-F'] };
  await embedded('single-user').runAsSuperuser(layout.cluster, ['ALTER ROLE fairlead CREATEDB'], asSuperuser);
}

module.exports = async () => {
  // What is set already, as by scripts/mutate.mjs for many runs, is built, and stopped by whoever started it.
  if (process.env.FAIRLEAD_TEST_SERVER !== undefined) return;
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-needed'], { stdio: 'inherit' });
  require('reflect-metadata');
  const { EmbeddedPostgres } = require(join(root, 'dist/src/database/embedded/embedded-postgres.js'));
  const { createDataSource } = require(join(root, 'dist/src/database/data-source.js'));
  const { migrate } = require(join(root, 'dist/src/database/migrations.js'));
  const { ENTITIES } = require(join(root, 'dist/src/entities.js'));

  const folder = createFolder();
  const dataDir = join(folder, 'data');
  await createCluster(dataDir);
  const server = await EmbeddedPostgres.open({ dataDir, maxConnections: 200 });
  globalThis.fairleadServer = { server, folder };
  const admin = new Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  // No test interrupts the power supply, so commits need not wait for the disk.
  await admin.query('ALTER ROLE fairlead SET synchronous_commit = off');
  await admin.end();
  const template = new URL(server.url);
  template.pathname = `/${TEMPLATE}`;
  const dataSource = createDataSource({ url: template.href, poolSize: 2, entities: ENTITIES });
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  process.env.FAIRLEAD_TEST_SERVER = server.url;
  process.env.FAIRLEAD_TEST_TEMPLATE = TEMPLATE;
};
