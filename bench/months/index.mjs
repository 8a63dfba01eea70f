// npm run bench:months — see bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { median } from '../support/load.mjs';
import { table } from '../support/table.mjs';
import { makeLog } from './make-log.mjs';
import { statementsOf } from './statements.mjs';

const require = createRequire(import.meta.url);
const { EmbeddedPostgres } = require('../../dist/src/database/embedded/embedded-postgres.js');
const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '300000' },
    months: { type: 'string', default: '0,1,24,60' },
    rounds: { type: 'string', default: '400' },
  },
});
const [size, rounds] = [options.size, options.rounds].map(Number);

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-months-'));
const places = [];
try {
  for (const months of options.months.split(',').map(Number)) {
    const postgres = await EmbeddedPostgres.open({
      dataDir: join(dataDir, String(months)),
      maxConnections: 50,
    });
    const place = {
      months,
      postgres,
      client: new pg.Client({ connectionString: postgres.url, pipeline: true }),
    };
    places.push(place);
    await makeLog(postgres.url, { months, size });
    await place.client.connect();
    place.statements = await statementsOf(place.client);
    console.error(`${months} months: loaded`);
  }
  const times = new Map();
  for (let round = -20; round < rounds; round++) {
    for (const { name } of places[0].statements) {
      for (const place of places) {
        const ms = await place.statements.find((each) => each.name === name).run();
        const key = `${name} ${place.months}`;
        // The first rounds warm up.
        if (round >= 0) times.set(key, [...(times.get(key) ?? []), ms]);
      }
    }
  }
  const head = [
    'p50 in ms',
    ...places.map(({ months }) => (months === 0 ? 'one table' : `${months} months`)),
  ];
  const rows = places[0].statements.map(({ name }) => [
    name,
    ...places.map(({ months }) => median(times.get(`${name} ${months}`)).toFixed(2)),
  ]);
  console.log(table(head, rows));
} finally {
  for (const { client, postgres } of places) {
    await client.end();
    await postgres.close();
  }
  rmSync(dataDir, { recursive: true, force: true });
}
