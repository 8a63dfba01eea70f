// Writes docs/openapi.json from the compiled application. With --check, fails when the file differs.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
require('reflect-metadata');
const { createApp } = require('../dist/src/start/create-app.js');
const { createDataSource } = require('../dist/src/database/connection/data-source.js');
const { describeApp } = require('../dist/src/http/index.js');
const { parseSettings } = require('../dist/src/settings/settings.js');
const { createLogger } = require('../dist/src/logging/create-logger.js');

// The description needs no database connection, because nothing is queried.
const app = await createApp({
  settings: parseSettings({ JWT_SECRET: randomBytes(32).toString('hex') }),
  dataSource: createDataSource({ url: 'postgres://localhost/none', poolSize: 1, entities: [] }),
  logger: createLogger('silent'),
});
const document = `${JSON.stringify(describeApp(app), null, 2)}\n`;
await app.close();

const file = join(root, 'docs', 'openapi.json');
if (!process.argv.includes('--check')) writeFileSync(file, document);
else if (readFileSync(file, 'utf8') !== document) {
  console.error('docs/openapi.json is out of date: run `npm run openapi` and commit it');
  process.exit(1);
}
