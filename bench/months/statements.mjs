// What is measured: statements of the service on the log, as it runs them.
import { createRequire } from 'node:module';
import { ACCOUNT, routerId, userEmail } from './make-log.mjs';

const require = createRequire(import.meta.url);
const load = (path) => require(`../../dist/src/${path}.js`);
const { listAssignments } = load('assignments/assignments.list-statements');
const { COUNT_ASSIGNED } = load('assignments/assignments.count-statements');
const { FIND_ASSIGNMENT, PLAN_ONCE } = load('assignments/assignments.statements');
const { FIND_HELD } = load('assignments/returned/returned.statements');
const { newAssignments, entriesOf, insertTraces, insertAssignments } = load('assignments/assignments.sql');
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
  const object = () =>
    `00000000-0000-7000-9000-${Math.floor(Math.random() * 50_000)
      .toString(16)
      .padStart(12, '0')}`;
  const { rows } = await client.query('SELECT count(*)::int AS count FROM assignments');
  const deep = Math.floor(rows[0].count * 0.9);
  const list = (filters, start, values) => ({
    before: PLAN_ONCE,
    statement: listAssignments(filters, start),
    values,
  });
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
    'log, first page': list([], 'offset', () => [ACCOUNT, 10, 0]),
    'log, at 90 %': list([], 'offset', () => [ACCOUNT, 10, deep]),
    'log, behind an entry': list([], 'after', () => [ACCOUNT, 11, any(ids)]),
    'log of a router': list(['router'], 'offset', () => [ACCOUNT, 10, 0, routerId(3)]),
    'log of a user': list(['user'], 'offset', () => [ACCOUNT, 10, 0, anyUser()]),
    'log of a router and a user': list(['router', 'user'], 'offset', () => [
      ACCOUNT,
      10,
      0,
      routerId(0),
      anyUser(),
    ]),
    'log of a record': list(['object'], 'offset', () => [ACCOUNT, 10, 0, object()]),
    'one entry': { statement: FIND_ASSIGNMENT, values: () => [ACCOUNT, any(ids)] },
    'who holds a record': {
      statement: FIND_HELD,
      values: () => [ACCOUNT, [object()], [routerId(0)], firstIdAt(new Date(Date.now() - 31 * DAY))],
    },
  };
  const inDispatch = {
    'dispatch: limits of 1 user': { statement: COUNT_ASSIGNED, values: () => limits(1) },
    'dispatch: limits of 100 users': { statement: COUNT_ASSIGNED, values: () => limits(100) },
    'dispatch: write 1': { statement: WRITE, values: () => [ACCOUNT, 'contacts', entries(1), new Date()] },
  };
  return [
    ...Object.entries(reads).map(([name, read]) => ({ name, run: (place) => timed(place, read) })),
    ...Object.entries(inDispatch).map(([name, work]) => ({ name, run: (place) => dispatched(place, work) })),
  ];
}

const WRITE = {
  name: 'bench_write',
  text: `WITH assignment AS MATERIALIZED (${newAssignments('$3')}),
    entry AS MATERIALIZED (${entriesOf('assignment')}),
    traced AS (${insertTraces('entry', '$1')})
    ${insertAssignments('entry', { account: '$1', objectType: '$2', at: '$4' })}`,
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

/** As the service does it: a list is read in a transaction. */
async function timed(client, { before, statement, values }) {
  const given = values();
  const started = performance.now();
  if (before === undefined) await client.query({ ...statement, values: given });
  else {
    await Promise.all([
      client.query('BEGIN READ ONLY'),
      client.query({ ...before, values: [] }),
      client.query({ ...statement, values: given }),
    ]);
    await client.query('COMMIT');
  }
  return performance.now() - started;
}

/** In a transaction of a dispatch, with its settings. Only the statement is timed. */
async function dispatched(client, work) {
  await client.query('BEGIN');
  await client.query({ ...LOCK_ROUTER, values: [ACCOUNT, routerId(3)] });
  const ms = await timed(client, work);
  await client.query('ROLLBACK');
  return ms;
}
