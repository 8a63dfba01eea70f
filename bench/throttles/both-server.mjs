// A process with the service twice, without limits and with them, and a page that tells its CPU time. The two have
// the same compiled code and the same heap, by which two processes of one program differ by some percent.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { createApp } = require('../../dist/src/create-app.js');
const { createDataSource } = require('../../dist/src/database/data-source.js');
const { entitiesWith } = require('../../dist/src/entities.js');
const { createLogger } = require('../../dist/src/logging/create-logger.js');
const { parseSettings } = require('../../dist/src/settings/settings.js');

/** @returns the address of the service with that limit of requests */
async function start(limit) {
  const dataSource = createDataSource({
    url: process.env.DATABASE_URL,
    poolSize: 20,
    entities: entitiesWith([]),
  });
  await dataSource.initialize();
  const settings = parseSettings({
    ...process.env,
    RATE_LIMIT_PER_CLIENT: limit,
    RATE_LIMIT_PER_ACCOUNT: limit,
  });
  const app = await createApp({ dataSource, settings, logger: createLogger('info') });
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

const addresses = {
  without: await start('0'),
  again: await start('0'),
  with: await start(process.env.BENCH_LIMIT),
};
const control = createServer((_request, response) => {
  const { user, system } = process.cpuUsage();
  response.end(JSON.stringify({ addresses, cpu: (user + system) / 1_000 }));
});
control.listen(0, '127.0.0.1');
await once(control, 'listening');
console.log(JSON.stringify({ address: `http://127.0.0.1:${control.address().port}` }));
process.on('SIGINT', () => process.exit(0));
