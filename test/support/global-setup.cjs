// Starts one PostgreSQL for all test files, with a migrated template that they copy.
require('../runner/compile.cjs');
require('reflect-metadata');
const { Client } = require('pg');
const { chmodSync, mkdtempSync, realpathSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { reapAfterwards } = require('./processes/reaper.cjs');
const citus = require('./database/citus-databases.cjs');
const { copyOfCluster, startServer } = require('./database/test-cluster.cjs');

const TEMPLATE = 'fairlead_template';

/** Makes the folder of the test run, which has all temporary folders of the tests, also of other users. */
function createFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-test-')));
  chmodSync(folder, 0o1777);
  reapAfterwards(folder);
  process.env.TMPDIR = folder;
  process.env.FAIRLEAD_TEST_FOLDER = folder;
  return folder;
}

/** Applies all migrations. @param options as of `migrate` */
async function migrateAt(url, options = {}) {
  const { createDataSource } = require('../../src/database/connection/data-source.ts');
  const { migrate } = require('../../src/database/migrations.ts');
  const { ENTITIES } = require('../../src/start/entities.ts');
  const dataSource = createDataSource({ url, poolSize: 2, entities: ENTITIES, unlimited: true });
  await dataSource.initialize();
  await migrate(dataSource, options);
  await dataSource.destroy();
}

/** Makes the template in a new cluster: a database with all migrations. */
async function createTemplate(url) {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await migrateAt(template.href);
}

/** Makes it on a cluster of Citus, whose tables are distributed. */
async function createDistributedTemplate() {
  await citus.createTemplate(TEMPLATE, (url) => migrateAt(url, { shards: 4 }));
}

module.exports = async () => {
  const folder = createFolder();
  const dataDir = join(folder, 'data');
  await copyOfCluster(dataDir, createTemplate);
  const server = await startServer(dataDir);
  globalThis.fairleadServer = { server, folder };
  process.env.FAIRLEAD_TEST_SERVER = server.url;
  process.env.FAIRLEAD_TEST_TEMPLATE = TEMPLATE;
  if (process.env.CITUS_URLS !== undefined) await createDistributedTemplate();
};
