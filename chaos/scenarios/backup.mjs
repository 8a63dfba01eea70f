// A dump under load is loaded into a new database, and has all that was acknowledged before it began.
import { join } from 'node:path';
import { forgetAfter } from '../checker/check.mjs';
import { DataDirectory } from '../database/data-directory.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';

const REQUESTS = 100;

/** Milliseconds in which the dump comes to the table that is locked. */
const WAITING_MS = 60_000;

/** A table that every dump reads and no request of this scenario names. */
const HELD = 'router_versions';

const WAITS = `SELECT FROM pg_locks WHERE relation = '${HELD}'::regclass AND NOT granted`;

export const backup = {
  name: 'backup',
  promise: 'P9',
  trials: { quick: 1, long: 3 },
  async run(context) {
    const { findings, leftovers, trials } = context;
    for (let trial = 0; trial < trials; trial++) {
      const site = await Site.embedded(context);
      await site.start();
      site.drive();
      await site.progress(REQUESTS);
      const folder = leftovers.directory();
      const dump = join(folder, 'dump');
      const began = await dumpAmongWrites(site, dump);
      findings.trials += 1;
      await site.progress(REQUESTS);
      for (const { text, record } of await site.check())
        findings.fail(`The database itself: ${text}`, { record });
      await site.services[0].kill();
      const data = new DataDirectory(leftovers, join(folder, 'data'));
      await checkLoaded({ site, findings }, { dump, data, began });
    }
  },
};

/** Makes a dump, and holds it in its middle while clients write. @returns the instant at which it began */
async function dumpAmongWrites(site, dump) {
  return site.sql(async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${HELD} IN ACCESS EXCLUSIVE MODE`);
    const began = performance.now();
    const work = site.command(['dump', dump]);
    const isWaiting = async () => (await client.query(WAITS)).rowCount > 0;
    const held = async () => {
      await require('The dump in its middle', isWaiting, { within: WAITING_MS });
      await site.progress(REQUESTS);
      await client.query('COMMIT');
    };
    await Promise.all([held(), work]);
    return began;
  });
}

/** Loads a dump, starts the service on it, and checks all that was acknowledged before it began. */
async function checkLoaded({ site, findings }, { dump, data, began }) {
  const { leftovers, options, account, recorder } = site;
  const loaded = Site.on(data, { leftovers, options, account, recorder });
  await loaded.command(['load', dump]);
  await loaded.start();
  forgetAfter(recorder, began);
  await findings.checked(loaded);
}
