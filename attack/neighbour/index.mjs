// One account with many busy clients beside another with one.
import { setTimeout as sleep } from 'node:timers/promises';
import { Victim } from '../measure/victim.mjs';
import { table } from '../../bench/support/table.mjs';
import { Connections } from '../wire/connection.mjs';
import { request } from '../wire/request.mjs';
import { kinds } from './kinds.mjs';
import { insertRecords } from './prepare.mjs';

const CLIENTS = 64;

/** The median time of the neighbour's requests, as a multiple of that before. */
const MOST_SLOWDOWN = 5;

/** Milliseconds between two questions whether the service is ready. */
const READINESS_INTERVAL = 20;

/** How often a kind is measured again that had a wrong status: other work of the machine can cause one. */
const AGAIN = 2;

/** Different records that the clients name. */
const OBJECTS = 2_000;

const HEAD = [
  '64 clients of another account',
  'p50 x',
  'longest ms',
  'not 200',
  'not ready',
  'answers',
  'exceeds',
];

/** @returns { text, exceeding } */
export async function noisyNeighbour(context, { records, neighbourSeconds, only, progress, quick }) {
  const objects = await insertRecords(context, records, Math.min(records, OBJECTS));
  const { port, victim, victimRecord } = context;
  const neighbour = new Victim(port, request('GET', `/contacts/${victimRecord}`, { token: victim.token }));
  const ready = new Victim(port, request('GET', '/health/ready'), READINESS_INTERVAL);
  const rows = [];
  let exceeds = 0;
  try {
    await neighbour.measure(1_000);
    for (const kind of kinds({ ...context, objects }, records)) {
      if (!kind.name.includes(only) || (quick && !kind.isQuick)) continue;
      progress(kind.name);
      const measureKind = () => measure(kind, { port, neighbour, ready, seconds: neighbourSeconds });
      let measured = await measureKind();
      for (let again = 0; again < AGAIN && measured.bounds.includes('status'); again++)
        measured = await measureKind();
      const { multiple, result, bounds } = measured;
      if (bounds.some((each) => each !== 'p50' || !quick)) exceeds++;
      rows.push([
        kind.name,
        multiple.toFixed(1),
        result.during.longest.toFixed(0),
        `${result.during.failed} of ${result.during.count}`,
        `${result.readiness.failed} of ${result.readiness.count}`,
        result.answers,
        bounds.join(' '),
      ]);
      await sleep(500);
    }
  } finally {
    await Promise.all([neighbour.close(), ready.close()]);
  }
  return { text: `${records} records\n${table(HEAD, rows)}`, exceeding: Array(exceeds).fill('neighbour') };
}

/** @returns the slowdown, what was answered, and the bounds that were exceeded */
async function measure(kind, { port, neighbour, ready, seconds }) {
  const quiet = await neighbour.measure(seconds * 500);
  const result = await beside(kind, { port, neighbour, ready, milliseconds: seconds * 1_000 });
  const multiple = result.during.p50 / quiet.p50;
  const bounds = [
    ...(multiple > MOST_SLOWDOWN ? ['p50'] : []),
    ...(result.readiness.failed > 0 || result.during.failed > 0 || result.bad > 0 ? ['status'] : []),
  ];
  return { multiple, result, bounds };
}

/** Runs the clients for some time, or as long as what runs beside them takes. */
async function beside({ next, beside: also }, { port, neighbour, ready, milliseconds }) {
  const clients = startClients(port, next);
  const [during, readiness] =
    also === undefined
      ? await Promise.all([neighbour.measure(milliseconds), ready.measure(milliseconds)])
      : await untilDone(also(), neighbour, ready);
  const statuses = await clients.stop();
  const answers = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  const bad = [...statuses].reduce((sum, [status, count]) => sum + (isGood(status) ? 0 : count), 0);
  return { during, readiness, answers, bad };
}

/** An account that asks too much may be told so. */
const isGood = (status) => status < 500 || status === 503;

async function untilDone(work, neighbour, ready) {
  const during = neighbour.measure(Infinity);
  const readiness = ready.measure(Infinity);
  await work.finally(() => [neighbour, ready].forEach((each) => each.stop()));
  return Promise.all([during, readiness]);
}

function startClients(port, next) {
  const connections = new Connections(port);
  const statuses = new Map();
  let number = 0;
  let running = true;
  const work = async () => {
    while (running) {
      const { status } = await connections.ask(next(number++));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // A client that is refused waits a little, as Retry-After asks.
      if (status === 503) await sleep(200);
    }
  };
  const clients = Array.from({ length: CLIENTS }, work);
  return {
    stop: async () => {
      running = false;
      await Promise.all(clients);
      connections.close();
      return statuses;
    },
  };
}
