// Processes are stopped as planned (promise P6).
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionsOf } from '../database/connect.mjs';
import { LoadBalancer } from '../run/load-balancer.mjs';
import { Site } from '../run/site.mjs';
import { stalledWithin } from '../run/stalls.mjs';
import { require } from '../run/wait.mjs';
import { watchSessions } from '../run/watches.mjs';

/** The default: the load balancer must see that a process stops also after it stood still for some seconds. */
const DRAIN = { DRAIN_SECONDS: '' };

/** Milliseconds before a process says that its database does not answer, in which it asked it in vain. */
const ASKED = 2_500;

/** Processes are replaced one by one behind a load balancer. */
export const handovers = {
  name: 'handovers',
  promise: 'P1 P6',
  trials: { quick: 6, long: 12 },
  processes: 0,
  load: { targets: 1 },
  async prepare(context) {
    const { site, leftovers } = context;
    context.balancer = await LoadBalancer.start(leftovers);
    context.pids = new Set();
    context.stopWatch = watchSessions(context, context.pids);
    for (const target of [0, 1]) await startBehind(context, target);
    site.urlOf = () => context.balancer.url;
  },
  async trial(context, trial) {
    const { site, findings, balancer } = context;
    balancer.keepsConnections = trial % 2 === 1;
    const target = (trial - 1) % 2;
    const old = site.services[target];
    const ended = old.stop();
    await startBehind(context, target);
    const { code, signal } = await ended;
    if (code !== 0) findings.fail(`A process that was stopped has ended with ${signal ?? `code ${code}`}`);
    balancer.remove(old.url);
  },
  async judge({ site, findings, balancer, pids, stopWatch }) {
    for (const request of site.recorder.requests) {
      if (request.outcome !== 'acknowledged') findings.fail('A request has failed', { request });
      findings.time(request.end - request.start, { bound: Infinity });
    }
    // No process is ready only where the machine stood still for as long.
    for (const { from, to } of balancer.waits)
      if (to - from > stalledWithin(from - ASKED, to, pids))
        findings.fail(`No process was ready for ${((to - from) / 1_000).toFixed(1)} s`);
    await stopWatch();
  },
};

/** Starts a process behind the load balancer, and waits until that has seen it. */
async function startBehind({ site, balancer, pids }, target) {
  const { url, pid } = await site.start(target, { env: DRAIN });
  pids.add(pid);
  balancer.add(url);
  await require('A ready process', () => balancer.isReady(url));
}

/** Seconds that PostgreSQL takes for the write of a trial. */
const SLOW = [25, 14];

const slowTrigger = (seconds) => `CREATE OR REPLACE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.fields ->> 'first_name' = 'slow' THEN PERFORM pg_sleep(${seconds}); END IF;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE TRIGGER be_slow BEFORE UPDATE ON records FOR EACH ROW EXECUTE FUNCTION be_slow()`;

/** A process is stopped while PostgreSQL is busy for it. Nothing is written after the process has ended. */
export const afterExit = {
  name: 'after-exit',
  promise: 'P2 P6',
  trials: { quick: 1, long: 2 },
  async run(context) {
    const site = await Site.external(context);
    for (const seconds of SLOW.slice(0, context.trials)) {
      await site.start();
      await site.sql((client) => client.query(slowTrigger(seconds)));
      await stopDuringWrite(site, context.findings);
      context.findings.trials += 1;
    }
  },
};

async function stopDuringWrite(site, findings) {
  const write = (method, path, name) =>
    site.ask(path, { method, json: { fields: { first_name: name } }, timeout: 60_000 });
  const { id } = (await write('POST', '/contacts', 'fast')).body;
  const answer = write('PATCH', `/contacts/${id}`, 'slow');
  await sleep(500);
  await site.services[0].stop();
  await site.sql(async (client) => {
    const nameNow = async () =>
      (await client.query(`SELECT fields ->> 'first_name' AS name FROM records WHERE id = $1`, [id])).rows[0]
        .name;
    const atExit = await nameNow();
    const exited = performance.now();
    const haveEnded = async () => (await sessionsOf(client)).length === 0;
    await require('The end of the sessions', haveEnded, { within: 60_000 });
    const late = ((performance.now() - exited) / 1_000).toFixed(1);
    const afterwards = await nameNow();
    const { status } = await answer;
    if (afterwards !== atExit) findings.fail(`A write was stored ${late} s after the process has ended`);
    if (status === 200 && afterwards !== 'slow') findings.fail('A write was acknowledged and is not there');
  });
}
