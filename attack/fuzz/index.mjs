// Sends random requests of every route and checks what must hold for each answer.
import pg from 'pg';
import { isSound } from '../hostile/bounds.mjs';
import { randomOf } from '../../bench/support/random.mjs';
import { request } from '../wire/request.mjs';
import { prepareFuzz } from './prepare.mjs';
import { requestsOf } from './requests.mjs';
import { Seen } from './seen.mjs';

const CLIENTS = 8;
const MOST_BYTES = 10 * 1024 * 1024;
const RECORDS = /^\/(?:contacts|companies|deals|tickets)(?:\/\{\w+\})?$/;
const BATCHES = /^\/(?:contacts|companies|deals|tickets)\/batch\//;

/** What must not be in an answer: places in code, statements, names of classes. */
const LEAK =
  /\.(?:js|ts|cjs|mjs):\d+|node_modules|\bat (?:async |new )?[\w.<>]+ \(|\bat (?:file:\/)?\/|\b(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b|\b\w+(?:Error|Exception)\b|\bpg_|\brelation "/;

/** @returns { text, exceeding } of one seed */
export async function fuzz(context, seed, { requests, verbose }) {
  const { attacker, ids } = await prepareFuzz(context, seed);
  const next = requestsOf(randomOf(seed), { attacker, ids });
  const seen = new Seen();
  const faults = [];
  const before = await countRecords(context);
  let created = 0;
  let left = requests;
  const work = async () => {
    while (left-- > 0) {
      const { label, bytes, route } = next();
      const answer = await context.ask(bytes);
      seen.add(route, answer.status);
      const fault = faultOf(answer);
      if (fault !== undefined) faults.push(`${label}: ${fault}`);
      if (answer.status === 200 && BATCHES.test(route.path)) created += createdIn(answer.body);
      if (answer.status !== 201) continue;
      if (RECORDS.test(route.path)) created++;
      // What is created can be named, as what was there is archived sooner or later.
      ids[route.kind]?.push(JSON.parse(answer.body).id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  const rows = (await countRecords(context)) - before;
  if (rows !== created) faults.push(`${rows} rows were created, but the answers tell of ${created}`);
  const last = await context.ask(request('GET', '/users?limit=1', { token: attacker.token }));
  if (last.status !== 200) faults.push(`the client is answered ${last.status} behind its requests`);
  faults.push(...seen.unreached(requests).map((path) => `no request to ${path} had an answer below 400`));
  const shown = faults.slice(0, 20).map((fault) => `  ${fault}`);
  const text = [
    `seed ${seed}, ${requests} requests (${seen.total()}): ${faults.length} faults`,
    ...shown,
    ...(verbose ? seen.lines() : []),
  ].join('\n');
  return { text, exceeding: faults };
}

/** How many records a batch has created. */
function createdIn(body) {
  return JSON.parse(body).results.filter(({ status }) => status === 201).length;
}

function faultOf(answer) {
  const { status, body, size } = answer;
  if (status === 'cut') return 'the connection was cut';
  if (!isSound(answer)) return `${status} ${body.subarray(0, 300)}`;
  if (size > MOST_BYTES) return `an answer of ${size} bytes`;
  if (status < 400) return undefined;
  const leak = LEAK.exec(body.toString());
  return leak === null ? undefined : `${status} shows "${leak[0]}": ${body.subarray(0, 300)}`;
}

async function countRecords({ databaseUrl }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT count(*)::int AS count FROM records');
    return rows[0].count;
  } finally {
    await client.end();
  }
}
