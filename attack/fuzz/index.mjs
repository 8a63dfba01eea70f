// Sends random requests of every route and checks what must hold for each answer.
import pg from 'pg';
import { isSound } from '../hostile/bounds.mjs';
import { randomOf } from '../../bench/support/random.mjs';
import { requestsOf } from './requests.mjs';

const CLIENTS = 8;
const MOST_BYTES = 10 * 1024 * 1024;

/** What must not be in an answer: places in code, statements, names of classes. */
const LEAK =
  /\.(?:js|ts|cjs|mjs):\d+|node_modules|\bat (?:async |new )?[\w.<>]+ \(|\bat (?:file:\/)?\/|\b(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b|\b\w+(?:Error|Exception)\b|\bpg_|\brelation "/;

/** @returns { text, exceeding } of one seed */
export async function fuzz(context, seed, { requests }) {
  const next = requestsOf(randomOf(seed), context);
  const statuses = new Map();
  const faults = [];
  const before = await countRecords(context);
  let left = requests;
  const work = async () => {
    while (left-- > 0) {
      const { label, bytes } = next();
      const answer = await context.ask(bytes);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = faultOf(answer);
      if (fault !== undefined) faults.push(`${label}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  const created = (await countRecords(context)) - before;
  const answered = statuses.get(201) ?? 0;
  if (created !== answered) faults.push(`${created} rows were created, but ${answered} answers were 201`);
  const list = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  const shown = faults.slice(0, 20).map((fault) => `  ${fault}`);
  const text = [
    `seed ${seed}, ${requests} requests (${list.join(', ')}): ${faults.length} faults`,
    ...shown,
  ].join('\n');
  return { text, exceeding: faults };
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
