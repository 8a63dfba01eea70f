// npm run bench:console -- --size 1000000 — see bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launch } from '../../console/walks/browser.mjs';
import { open } from '../growth/place.mjs';
import { keepResults } from '../support/keep-results.mjs';
import { median } from '../support/load.mjs';
import { stopServer } from '../support/processes.mjs';
import { table } from '../support/table.mjs';
import { memoryOf } from '../support/usage.mjs';
import { configurationOf } from './configuration.mjs';
import { measure } from './screens.mjs';

const SIZES = { size: 1_000_000, users: 2_000, routers: 300, rules: 50, largest: 1_000, rounds: 3 };
const text = { type: 'string' };
const options = { only: text, ...Object.fromEntries(Object.keys(SIZES).map((key) => [key, text])) };
const { only = '', ...given } = parseArgs({ options }).values;
const sizes = {
  ...SIZES,
  ...Object.fromEntries(Object.entries(given).map(([key, sent]) => [key, Number(sent)])),
};

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-console-'));
const places = [];
const browser = await launch();
try {
  await open(places, { size: sizes.size, dataDir, configuration: configurationOf(sizes) });
  const { results, typing } = await measure(browser, places[0], { only, rounds: sizes.rounds });
  const memory = memoryOf(places[0].server.child.pid);
  console.log(
    table(
      Object.keys(results[0]),
      results.map((each) => Object.values(each)),
    ),
  );
  console.log(`\nms from a letter to its paint: ${median(typing)}, at most ${Math.max(...typing)}`);
  console.log(`MiB of the service: ${memory?.now}, at most ${memory?.most}`);
  console.log(`\n${keepResults('console', { sizes, results, typing, memory })}`);
} finally {
  await browser.close();
  for (const { server, postgres } of places) {
    if (server !== undefined) await stopServer(server);
    await postgres.close();
  }
  rmSync(dataDir, { recursive: true, force: true });
}
