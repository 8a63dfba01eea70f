// Processes are replaced one by one behind a load balancer.
import { HttpProxy } from '../proxy/http-proxy.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';

const REQUESTS = 30;

/** Seconds for which a process that stops goes on to accept requests. A long run uses the default. */
const drainSeconds = ({ long }) => (long ? '' : '2');

/** Stops one of the processes, starts another, and waits until it has taken over. */
async function replace({ site, findings, proxy, env }, target) {
  const old = site.services[target];
  const ended = old.stop();
  const fresh = await site.start(target, { env });
  proxy.add(fresh.url);
  await require('A ready process', () => proxy.isReady(fresh.url));
  const { code, signal } = await ended;
  if (code !== 0) findings.fail(`A process that was stopped has ended with ${signal ?? `code ${code}`}`);
  proxy.remove(old.url);
  await site.progress(REQUESTS);
}

async function run(context) {
  const { findings, trials, options } = context;
  const site = await Site.external(context);
  const proxy = await HttpProxy.start(site.leftovers);
  const env = { DRAIN_SECONDS: drainSeconds(options) };
  for (const target of [0, 1]) proxy.add((await site.start(target, { env })).url);
  await require('Ready processes', () => site.services.every(({ url }) => proxy.isReady(url)));
  site.drive({ urlOf: () => proxy.url, targets: 1 });
  await site.progress(REQUESTS);
  for (let trial = 0; trial < trials; trial++) {
    proxy.keepsConnections = trial % 2 === 0;
    await replace({ site, findings, proxy, env }, trial % 2);
    findings.trial();
  }
  await findings.checked(site);
  for (const request of site.recorder.requests) {
    if (request.outcome !== 'acknowledged') findings.fail('A request has failed', { request });
    findings.time(request.end - request.start, { bound: Infinity });
  }
}

export const handovers = { name: 'handovers', promise: 'P1 P6', trials: { quick: 6, long: 12 }, run };
