// Connections are cut before and after each kind of write. The clients repeat what they are told to repeat.
import { Site } from '../run/site.mjs';

const KINDS = ['create', 'patch', 'delete', 'dispatch'];

/** More deletions than usual, so that one comes soon. */
const MIX = { create: 40, patch: 20, delete: 10, turns: 20, shares: 5, get: 5 };

async function run(context) {
  const { findings, trials } = context;
  const site = await Site.external(context);
  await site.start();
  site.drive({ mix: MIX, isObedient: true, clients: 14 });
  await site.progress();
  for (let trial = 0; trial < trials; trial++) {
    for (const kind of KINDS) {
      const when = trial % 2 === 0 ? 'after' : 'before';
      await site.proxy.failNext({ kind, when, how: 'cut' });
      findings.trial();
    }
  }
  await site.progress();
  await findings.checked(site);
}

export const cuts = {
  name: 'cuts',
  // Every request has one effect, or none where the last answer was 503 with Retry-After.
  promise: 'P1 P2 P3',
  trials: { quick: 6, long: 24 },
  run,
};
