// A process is stopped while PostgreSQL is busy for it. Nothing is written after the process has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionsOf } from '../database/sessions.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';

/** Seconds that PostgreSQL takes for the write of a trial. */
const SLOW = [25, 14];

const slowTrigger = (seconds) => `CREATE OR REPLACE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.fields ->> 'first_name' = 'slow' THEN PERFORM pg_sleep(${seconds}); END IF;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE TRIGGER be_slow BEFORE UPDATE ON records FOR EACH ROW EXECUTE FUNCTION be_slow()`;

const nameOf = (client, id) =>
  client
    .query(`SELECT fields ->> 'first_name' AS name FROM records WHERE id = $1`, [id])
    .then(({ rows }) => rows[0].name);

async function stopDuringWrite({ site, findings }, seconds) {
  await site.start();
  await site.sql((client) => client.query(slowTrigger(seconds)));
  const created = await site.ask('/contacts', { method: 'POST', json: { fields: { first_name: 'fast' } } });
  const { id } = created.body;
  const json = { fields: { first_name: 'slow' } };
  const answer = site.ask(`/contacts/${id}`, { method: 'PATCH', json, timeout: 60_000 });
  await sleep(500);
  await site.services[0].stop();
  await site.sql(async (client) => {
    const atExit = await nameOf(client, id);
    const exited = performance.now();
    await require('The end of the sessions', async () => (await sessionsOf(client)).length === 0, {
      within: 60_000,
    });
    const late = ((performance.now() - exited) / 1_000).toFixed(1);
    const afterwards = await nameOf(client, id);
    const { status } = await answer;
    if (afterwards !== atExit) findings.fail(`A write was stored ${late} s after the process has ended`);
    if (status === 200 && afterwards !== 'slow') findings.fail('A write was acknowledged and is not there');
  });
}

async function run(context) {
  const { findings, trials } = context;
  const site = await Site.external(context);
  for (const seconds of SLOW.slice(0, trials)) {
    await stopDuringWrite({ site, findings }, seconds);
    findings.trial();
  }
}

export const afterExit = { name: 'after-exit', promise: 'P2 P6', trials: { quick: 1, long: 2 }, run };
