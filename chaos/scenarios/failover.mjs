// The primary is lost, and its standby takes its place.
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresProxy } from '../../test/support/database/postgres-proxy.cjs';
import { promote, startPair } from '../database/pair.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';
import { Leftovers } from '../run/leftovers.mjs';
import { watchReadiness } from '../run/watches.mjs';

const PROCESSES = 2;

/** Milliseconds from the loss of the primary to the promotion. Who decides on it waits longer for a silent host. */
const DECISION = { killed: 1_000, silent: 3_000 };

/** Each time with a primary, a standby and processes of their own. Every second time the primary is silent. */
export const failover = {
  name: 'failover',
  promise: 'P1 P2 P4 P8',
  trials: { quick: 2, long: 10 },
  async run(context) {
    for (let trial = 1; trial <= context.trials; trial++) {
      const leftovers = new Leftovers(context.leftovers);
      try {
        await failOver({ ...context, leftovers }, trial % 2 === 0 ? 'silent' : 'killed');
      } finally {
        await leftovers.clear();
      }
      context.findings.trials += 1;
      if (context.findings.failures.length > 0) return;
    }
  },
};

async function failOver({ lab, leftovers, options, findings }, how) {
  const { data, account } = await lab.embedded();
  const { primary, standby } = await startPair(data, leftovers);
  const proxy = await PostgresProxy.start(primary.url('fairlead'), { isHalfOpen: true });
  leftovers.add(() => proxy.close());
  const site = new Site({
    ...{ leftovers, options, account, cluster: standby, database: 'fairlead' },
    env: { DATABASE_URL: `${both(proxy.url, standby.url('fairlead'))}?target_session_attrs=read-write` },
  });
  for (let target = 0; target < PROCESSES; target++) await site.start(target);
  // As a load balancer does, which is how a process learns where its own requests wait for a silent host.
  for (const service of site.services) watchReadiness({ leftovers, site: { services: [service] } });
  site.drive();
  await site.progress(60);
  const since = performance.now();
  if (how === 'silent') proxy.silence({ newcomers: true });
  await primary.end('SIGKILL');
  if (how === 'killed') await proxy.cut();
  await sleep(DECISION[how]);
  await promote(standby);
  const what = `the primary is ${how}`;
  await expectServesAgain({ site, findings }, { since, accepted: performance.now(), what });
  await site.progress(60);
  findings.failOnInternalErrors(site.recorder);
  await findings.checked(site);
}

/** The address of both. */
const both = (first, second) => first.replace(/(?=\/[^/]*$)/, `,${/@([^/]*)/.exec(second)[1]}`);
