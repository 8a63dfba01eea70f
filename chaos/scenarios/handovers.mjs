// Processes are replaced one by one behind a load balancer.
import { HttpProxy } from '../proxy/http-proxy.mjs';
import { SessionStalls } from '../run/session-stalls.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';

const REQUESTS = 30;

/** The default: the load balancer must see that a process stops also after it stood still for some seconds. */
const DRAIN = { DRAIN_SECONDS: '' };

/** Milliseconds before a process says that its database does not answer, in which it asked it in vain. */
const ASKED = 2_500;

/** Stops one of the processes, starts another, and waits until it has taken over. */
async function replace({ site, findings, proxy, start }, target) {
  const old = site.services[target];
  const ended = old.stop();
  const fresh = await start(target);
  await require('A ready process', () => proxy.isReady(fresh.url));
  const { code, signal } = await ended;
  if (code !== 0) findings.fail(`A process that was stopped has ended with ${signal ?? `code ${code}`}`);
  proxy.remove(old.url);
  await site.progress(REQUESTS);
}

/** No process is ready only where the machine stood still for as long. */
function expectNoGap({ proxy, findings, stalls }) {
  for (const { from, to } of proxy.waits) {
    if (to - from <= stalls.within(from - ASKED, to)) continue;
    findings.fail(`No process was ready for ${((to - from) / 1_000).toFixed(1)} s`);
  }
}

async function run(context) {
  const { findings, trials } = context;
  const site = await Site.external(context);
  const proxy = await HttpProxy.start(site.leftovers);
  const stalls = new SessionStalls(site.leftovers, site.connection());
  const start = async (target) => {
    const service = await site.start(target, { env: DRAIN });
    stalls.watch(service.pid);
    proxy.add(service.url);
    return service;
  };
  for (const target of [0, 1]) await start(target);
  await require('Ready processes', () => site.services.every(({ url }) => proxy.isReady(url)));
  site.drive({ urlOf: () => proxy.url, targets: 1 });
  await site.progress(REQUESTS);
  for (let trial = 0; trial < trials; trial++) {
    proxy.keepsConnections = trial % 2 === 0;
    await replace({ site, findings, proxy, start }, trial % 2);
    findings.trial();
  }
  await findings.checked(site);
  for (const request of site.recorder.requests) {
    if (request.outcome !== 'acknowledged') findings.fail('A request has failed', { request });
    findings.time(request.end - request.start, { bound: Infinity });
  }
  expectNoGap({ proxy, findings, stalls });
  await stalls.stop();
}

export const handovers = { name: 'handovers', promise: 'P1 P6', trials: { quick: 6, long: 12 }, run };
