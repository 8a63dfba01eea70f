// Connections that are open and bring no answers, and a process that vanishes with a lock.
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresProxy } from '../proxy/postgres-proxy.mjs';
import { Readiness } from '../run/readiness.mjs';
import { Site } from '../run/site.mjs';
import { until } from '../run/wait.mjs';

/** Milliseconds in which every request, and the question for readiness, is answered (promise P5). */
const BOUND = { request: 15_000, readiness: 2_000 };

/** Milliseconds by which measured times may exceed the bound on a busy machine. */
const MARGIN = 500;

/** Milliseconds after which a client gives up: a late answer must be told from none on a slow machine. */
const TIMEOUT = 20_000;

/** Waits until all requests that are under way in a moment are answered. */
async function expectAnswers({ site, findings }, what) {
  await sleep(1_000);
  const pending = site.recorder.pending.filter(({ target }) => target === 0);
  const since = performance.now() - 1_000;
  await until(() => pending.every(({ end }) => end !== undefined), { within: TIMEOUT + 2_000 });
  for (const request of site.recorder.requests) {
    const { target, end, answers } = request;
    if (target !== 0 || end === undefined || end < since) continue;
    const isAnswered = answers.every(({ error }) => error !== 'TIMEOUT');
    const label = isAnswered ? what : `${what}: no answer`;
    findings.time(site.timeOf(request), { bound: BOUND.request + MARGIN, what: label, request });
  }
}

/** The answers to a COMMIT of a dispatch and to a create are lost, and their connections stay open. */
async function swallowAnswers({ site, findings }) {
  const kinds = ['dispatch', 'create'];
  await Promise.all(kinds.map((kind) => site.proxy.failNext({ kind, when: 'after', how: 'silence' })));
  await expectAnswers({ site, findings }, 'an answer of PostgreSQL is lost');
}

/** Nothing goes through, neither over the connections that are open nor over new ones. */
async function blackhole({ site, findings }) {
  site.proxy.silence({ newcomers: true });
  await expectAnswers({ site, findings }, 'PostgreSQL has become silent');
  site.proxy.restore();
  await site.progress();
}

/** Another process stops for ever while it holds the lock of a router. */
async function vanish({ site, findings, lab }) {
  const { cluster } = await lab.external();
  const proxy = await PostgresProxy.start(site.leftovers, { host: '127.0.0.1', port: cluster.port });
  const service = await site.start(1, { env: { DATABASE_URL: cluster.url(site.database, proxy.port) } });
  const others = site.drive({
    clients: 4,
    timeout: TIMEOUT,
    urlOf: () => service.url,
    target: 1,
    prefix: `vanished${site.drivers.length}`,
  });
  await proxy.failNext({ kind: 'dispatch', when: 'before', how: 'silence' });
  proxy.silence({ newcomers: true });
  service.signal('SIGSTOP');
  await expectAnswers({ site, findings }, 'another process has vanished with a lock');
  await service.kill();
  await others.stop();
  await proxy.close();
}

async function run(context) {
  const { findings, trials } = context;
  const site = await Site.external(context);
  const service = await site.start();
  const readiness = new Readiness(site.leftovers, service);
  site.drive({ timeout: TIMEOUT });
  const disturbances = Array(trials).fill([swallowAnswers, blackhole, vanish]).flat();
  for (const disturb of disturbances) {
    await site.progress();
    await disturb({ ...context, site });
    findings.trial();
    // What hangs makes everything after it hang, too.
    if (findings.failures.length > 0) break;
  }
  await readiness.stop();
  findings.time(readiness.longest, { bound: BOUND.readiness + MARGIN, what: 'readiness' });
  // PostgreSQL would wait for the rest of what it has got in part.
  await site.stopClients();
  site.proxy.cutAll();
  await findings.checked(site);
}

export const halfOpen = { name: 'half-open', promise: 'P1 P5', trials: { quick: 1, long: 3 }, run };
