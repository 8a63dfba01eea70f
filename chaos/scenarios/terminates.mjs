// An administrator ends sessions of the service, one after the other.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../bench/support/random.mjs';
import { sessionsOf, terminate } from '../database/sessions.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';

/** Least milliseconds between two. */
const INTERVAL = 60;

/** Least requests that end between two: a slow machine would else lose a greater part of its requests. */
const REQUESTS = 6;

/**
 * The part of the writes that may fail. No read may. Without a key, a write that is in flight on a session that ends
 * may be unknown, and does not count (ADR 14).
 */
const MOST_FAILED_WRITES = 0.05;

const MIX = { create: 25, patch: 15, delete: 3, turns: 20, shares: 5, batch: 3, get: 29 };

async function run(context) {
  const { findings, trials, options } = context;
  const site = await Site.external(context);
  const random = randomOf(options.seed);
  await site.start();
  site.drive({ mix: MIX, clients: 5 });
  site.drive({ mix: MIX, clients: 5, usesKeys: true });
  await site.progress();
  const since = performance.now();
  await site.sql(async (client) => {
    while (findings.trials < trials) {
      const { ended } = site.recorder;
      const sessions = await sessionsOf(client);
      if (sessions.length > 0) {
        await terminate(client, [random.one(sessions).pid]);
        findings.trial();
      }
      await sleep(INTERVAL);
      await require(`${REQUESTS} answers`, () => site.recorder.ended >= ended + REQUESTS, { every: 5 });
    }
  });
  await site.progress();
  const requests = site.recorder.since(since).filter(({ end }) => end !== undefined);
  await findings.checked(site);
  const isFailed = ({ outcome }) => outcome !== 'acknowledged';
  const failedReads = requests.filter((each) => each.kind === 'get' && isFailed(each));
  for (const request of failedReads) findings.fail('A read has failed', { request });
  const writes = requests.filter(({ kind }) => kind !== 'get');
  const failed = writes.filter(
    (each) => isFailed(each) && (each.key !== undefined || each.outcome === 'refused'),
  );
  if (failed.length > MOST_FAILED_WRITES * writes.length)
    findings.fail(`${failed.length} of ${writes.length} writes have failed`, { request: failed[0] });
}

export const terminates = { name: 'terminates', promise: 'P1 P4', trials: { quick: 50, long: 200 }, run };
