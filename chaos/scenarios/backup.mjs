// A dump under load is loaded into a new database, and has all that was acknowledged before it began.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetAfter } from '../checker/check.mjs';
import { EmbeddedData } from '../database/embedded.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';
import { runCommand } from '../service/command.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';

const REQUESTS = 100;

/** Milliseconds in which the dump comes to the table that is locked. */
const WAITING_MS = 60_000;

/** A table that every dump reads and no request of this scenario names. */
const HELD = 'router_versions';

const WAITS = `SELECT FROM pg_locks WHERE relation = '${HELD}'::regclass AND NOT granted`;

/** Holds a dump in its middle while clients write. @returns what `start` does */
async function amongWrites(site, start) {
  return site.sql(async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${HELD} IN ACCESS EXCLUSIVE MODE`);
    const work = start();
    const isWaiting = async () => (await client.query(WAITS)).rowCount > 0;
    await require('The dump in its middle', isWaiting, { within: WAITING_MS });
    await site.progress(REQUESTS);
    await client.query('COMMIT');
    return work;
  });
}

/** Loads a dump, starts the service on it, and checks all that was acknowledged before an instant. */
async function load({ site, findings, dump }, began) {
  const { leftovers, options, account, recorder } = site;
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-chaos-'));
  leftovers.add(() => rmSync(folder, { recursive: true, force: true }));
  const data = new EmbeddedData(leftovers, join(folder, 'data'));
  const env = { DATA_DIR: data.directory };
  const { code, stderr } = await runCommand(leftovers, { ...ENVIRONMENT, ...env }, { args: ['load', dump] });
  if (code !== 0) {
    findings.fail(`fairlead load: exit code ${code}: ${stderr.trim()}`);
    return;
  }
  const connection = () => data.connection();
  const loaded = new Site({ leftovers, options, account, connection, env, data });
  loaded.recorder = recorder;
  await loaded.start();
  forgetAfter(recorder, began);
  await findings.checked(loaded);
}

async function run(context) {
  const { findings, leftovers, trials } = context;
  for (let trial = 0; trial < trials; trial++) {
    const site = await Site.embedded(context);
    await site.start();
    site.drive();
    await site.progress(REQUESTS);
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-chaos-'));
    leftovers.add(() => rmSync(folder, { recursive: true, force: true }));
    const dump = join(folder, 'dump');
    const env = { ...ENVIRONMENT, ...site.env };
    let began;
    const { code, stderr } = await amongWrites(site, () => {
      began = performance.now();
      return runCommand(leftovers, env, { args: ['dump', dump] });
    });
    findings.trial();
    await site.progress(REQUESTS);
    for (const { text, record } of await site.check())
      findings.fail(`The database itself: ${text}`, { record });
    await site.services[0].kill();
    if (code !== 0) findings.fail(`fairlead dump: exit code ${code}: ${stderr.trim()}`);
    else await load({ site, findings, dump }, began);
  }
}

export const backup = { name: 'backup', promise: 'P9', trials: { quick: 1, long: 3 }, run };
