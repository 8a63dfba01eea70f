// A process with the service several times, each with settings of its own, and a page that tells its CPU time. All have
// the same compiled code and the same heap, by which two processes of one program differ by some percent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { createApp } = require('../../dist/src/start/create-app.js');
const { createDataSource } = require('../../dist/src/database/data-source.js');
const { entitiesWith } = require('../../dist/src/start/entities.js');
const { createLogger } = require('../../dist/src/logging/create-logger.js');
const { parseSettings } = require('../../dist/src/settings/settings.js');

/** @returns the address of the service with those settings */
async function start(settings) {
  const dataSource = createDataSource({
    url: process.env.DATABASE_URL,
    poolSize: 20,
    entities: entitiesWith([]),
  });
  await dataSource.initialize();
  const app = await createApp({
    dataSource,
    settings: parseSettings({ ...process.env, ...settings }),
    logger: createLogger('info'),
  });
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

const addresses = {};
for (const [name, settings] of Object.entries(JSON.parse(process.env.VARIANTS)))
  addresses[name] = await start(settings);
const control = createServer((_request, response) => {
  const { user, system } = process.cpuUsage();
  response.end(JSON.stringify({ addresses, cpu: (user + system) / 1_000 }));
});
control.listen(0, '127.0.0.1');
await once(control, 'listening');
console.log(JSON.stringify({ address: `http://127.0.0.1:${control.address().port}` }));
process.on('SIGINT', () => process.exit(0));
