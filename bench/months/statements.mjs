// What is measured: statements of the service on the log, as it runs them.
import { createRequire } from 'node:module';
import { ACCOUNT, routerId, userEmail } from './make-log.mjs';

const require = createRequire(import.meta.url);
const load = (path) => require(`../../dist/src/${path}.js`);
const { AssignmentsRepository } = load('assignments/assignments.repository');
const { COUNT_ASSIGNED } = load('assignments/assignments.count-statements');
const { FIND_ASSIGNMENT } = load('assignments/assignments.statements');
const { FIND_HELD } = load('assignments/returned/returned.statements');
const { newAssignments, insertTraces, insertAssignments } = load('assignments/assignments.sql');
const { firstIdAt } = load('database/index');
const { LOCK_ROUTER } = load('dispatch/transaction/dispatch.statements');

const DAY = 86_400_000;

/** @returns `{ name, run }` of each; `run` gives milliseconds */
export async function statementsOf(client) {
  const ids = (await client.query('SELECT id FROM assignments ORDER BY random() LIMIT 200')).rows.map(
    ({ id }) => id,
  );
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  const anyUser = () => userEmail(Math.floor(Math.random() * 200));
  const records = (
    await client.query('SELECT object_id FROM assignments ORDER BY random() LIMIT 200')
  ).rows.map(({ object_id }) => object_id);
  const { rows } = await client.query('SELECT count(*)::int AS count FROM assignments');
  const deep = Math.floor(rows[0].count * 0.9);
  const list = (page) => listed(client, page);
  const users = (count) => Array.from({ length: count }, (_, n) => userEmail(n));
  const since = (count, days) => Array.from({ length: count }, () => new Date(Date.now() - days * DAY));
  const limits = (count) => [
    ACCOUNT,
    users(count),
    since(count, 0.04),
    since(count, 1),
    since(count, 7),
    since(count, 30),
    Array.from({ length: count }, () => null),
    null,
    firstIdAt(new Date(Date.now() - 31 * DAY)),
  ];
  const reads = {
    'log, first page': list(() => ({})),
    'log, at 90 %': list(() => ({ offset: deep })),
    'log, behind an entry': list(() => ({ behind: any(ids) })),
    'log of a router': list(() => ({ router: routerId(3) })),
    'log of a user': list(() => ({ user: anyUser() })),
    'log of a router and a user': list(() => ({ router: routerId(0), user: anyUser() })),
    'log of a record': list(() => ({ object: any(records) })),
    'one entry': () => client.query({ ...FIND_ASSIGNMENT, values: [ACCOUNT, any(ids)] }),
  };
  const inDispatch = {
    'dispatch: who holds a record': {
      statement: FIND_HELD,
      values: () => [ACCOUNT, [any(records)], [routerId(0)], firstIdAt(new Date(Date.now() - 31 * DAY))],
    },
    'dispatch: limits of 1 user': { statement: COUNT_ASSIGNED, values: () => limits(1) },
    'dispatch: limits of 100 users': { statement: COUNT_ASSIGNED, values: () => limits(100) },
    'dispatch: write 1': { statement: WRITE, values: () => [ACCOUNT, 'contacts', entries(1), new Date()] },
  };
  return [
    ...Object.entries(reads).map(([name, read]) => ({ name, run: () => timed(read) })),
    ...Object.entries(inDispatch).map(([name, work]) => ({ name, run: () => dispatched(client, work) })),
  ];
}

const WRITE = {
  name: 'bench_write',
  text: `WITH assignment AS MATERIALIZED (${newAssignments('$3')}),
    traced AS (${insertTraces('assignment', '$1')})
    ${insertAssignments('assignment', { account: '$1', objectType: '$2', at: '$4' })}`,
};

const TRACE = Array.from({ length: 6 }, (_, n) => ({
  step: 'candidate',
  user: userEmail(n),
  eligible: true,
  credit: [n, 7],
}));

function entries(count) {
  return JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      n,
      router: routerId(3),
      object_id: ACCOUNT,
      user: userEmail(3),
      previous_user: null,
      reason: 'round_robin',
      message: 'The object was successfully assigned',
      trace: TRACE,
      turn: null,
    })),
  );
}

/** As the service does it: a page is read in a transaction. */
function listed(client, page) {
  const log = new AssignmentsRepository();
  const db = {
    query: async (statement, values) => (await client.query({ ...statement, values: [...values] })).rows,
  };
  return async () => {
    const { offset = 0, behind, ...filters } = page();
    const begun = client.query('BEGIN READ ONLY');
    const of = { filters: new Map(Object.entries(filters)), limit: 10, offset, behind };
    await Promise.all([begun, log.list(db, { accountId: ACCOUNT }, of)]);
    await client.query('COMMIT');
  };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** In a transaction of a dispatch, with its settings. Only the statement is timed. */
async function dispatched(client, { statement, values }) {
  await client.query('BEGIN');
  await client.query({ ...LOCK_ROUTER, values: [ACCOUNT, routerId(3)] });
  const given = values();
  const ms = await timed(() => client.query({ ...statement, values: given }));
  await client.query('ROLLBACK');
  return ms;
}
