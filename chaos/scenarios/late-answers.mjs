// PostgreSQL answers late or never, over connections that stay open (promise P5).
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresProxy } from '../../test/support/database/postgres-proxy.cjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { failNext } from '../run/site.mjs';
import { until } from '../run/wait.mjs';
import { watchReadiness } from '../run/watches.mjs';

/**
 * Milliseconds in which every request, and the question for readiness, is answered: those of the promise, and 500 by
 * which measured times may exceed them on a busy machine.
 */
const BOUND = { request: 15_500, readiness: 2_500 };

/** Milliseconds after which a client gives up: a late answer must be told from none on a slow machine. */
const TIMEOUT = 20_000;

const lateAnswers = {
  load: { timeout: TIMEOUT },
  prepare(context) {
    context.longestReadiness = watchReadiness(context);
  },
  async judge({ findings, longestReadiness }) {
    findings.time(await longestReadiness(), { bound: BOUND.readiness, what: 'readiness' });
  },
};

/** Waits for the requests that are under way, and notes the times of all that have ended since an instant. */
async function expectAnswers({ site, findings }, { since, what }) {
  const pending = site.recorder.pending.filter(({ target }) => target === 0);
  await until(() => pending.every(({ end }) => end !== undefined), { within: TIMEOUT + 2_000 });
  for (const request of site.recorder.requests) {
    const { target, end, answers } = request;
    if (target !== 0 || end === undefined || end < since) continue;
    const isAnswered = answers.every(({ error }) => error !== 'TIMEOUT');
    const label = isAnswered ? what : `${what}: no answer`;
    findings.time(site.timeOf(request), { bound: BOUND.request, what: label, request });
  }
}

/** As `expectAnswers`, for what is under way a second after a fault. */
async function expectAnswersSoon(context, what) {
  const since = performance.now();
  await sleep(1_000);
  await expectAnswers(context, { since, what });
}

/** Connections that are open bring no answers, and a process vanishes with a lock. */
export const halfOpen = {
  ...lateAnswers,
  name: 'half-open',
  promise: 'P1 P5',
  trials: { quick: 3, long: 9 },
  async trial(context, trial) {
    await [swallowAnswers, blackhole, vanish][(trial - 1) % 3](context);
  },
};

/** The answers to a COMMIT of a dispatch and to a create are lost, and their connections stay open. */
async function swallowAnswers(context) {
  for (const kind of ['dispatch', 'create']) await failNext(context.site.proxy, kind, 'swallow');
  await expectAnswersSoon(context, 'an answer of PostgreSQL is lost');
}

/** Nothing goes through, neither over the connections that are open nor over new ones. */
async function blackhole(context) {
  const { proxy } = context.site;
  proxy.silence({ newcomers: true });
  await expectAnswersSoon(context, 'PostgreSQL has become silent');
  await proxy.restore();
}

/** Another process stops for ever while it holds the lock of an account. */
async function vanish(context) {
  const { site } = context;
  const proxy = await PostgresProxy.start(site.cluster.url(site.database), { isHalfOpen: true });
  site.leftovers.add(() => proxy.close());
  const service = await site.start(1, { env: { DATABASE_URL: proxy.url } });
  const prefix = `vanished${site.drivers.length}`;
  const others = site.drive({ clients: 4, timeout: TIMEOUT, target: 1, prefix });
  await failNext(proxy, 'dispatch', 'silence');
  proxy.silence({ newcomers: true });
  service.child.kill('SIGSTOP');
  await expectAnswersSoon(context, 'another process has vanished with a lock');
  await service.kill();
  await others.stop();
  await proxy.close();
}

/** Milliseconds by which each answer is delayed, in turn. */
const DELAYS = [800, 1_000, 2_400];

/** Milliseconds for which they are, and between two changes of the configuration in them. */
const PHASE = 20_000;
const CHANGE = 4_000;

/** Every answer of the database comes late, and then in time again. */
export const slowAnswers = {
  ...lateAnswers,
  name: 'slow-answers',
  promise: 'P1 P2 P4 P5',
  trials: { quick: 3, long: 9 },
  async trial(context, trial) {
    const { site } = context;
    const delay = DELAYS[(trial - 1) % DELAYS.length];
    const what = `answers ${delay / 1_000} s late`;
    const start = performance.now();
    site.proxy.delayAnswers(delay);
    while (performance.now() - start < PHASE) {
      // As `apply` does, beside the proxy: the service must load the configuration again.
      await site.sql((client) => client.query('UPDATE accounts SET config_version = config_version + 1'));
      await sleep(CHANGE);
    }
    const accepted = performance.now();
    site.proxy.delayAnswers(0);
    await expectServesAgain(context, { since: accepted, accepted, what });
    await expectAnswers(context, { since: start, what });
  },
};
