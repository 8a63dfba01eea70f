// npm run bench:traces — see bench/README.md. Bytes of WAL, bytes on disk and time for each entry of the log
// with its trace beside it or in a table of its own: when it is written, and when the trace is dropped.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { table } from '../support/table.mjs';

const require = createRequire(import.meta.url);
const load = (path) => require(`../../dist/src/${path}.js`);
const { EmbeddedPostgres } = load('database/embedded/embedded-postgres');
const { createDataSource } = load('database/data-source');
const { ENTITIES } = load('entities');

const { values: options } = parseArgs({
  options: { entries: { type: 'string', default: '40000' }, steps: { type: 'string', default: '6,14' } },
});
const entries = Number(options.entries);
const ACCOUNT = '00000000-0000-7000-8000-000000000001';

const COLUMNS =
  '(account_id, id, router_id, object_type, object_id, user_email, reason, message, trace, turn, created_at)';
/** $1 account, $2 trace, $3 a number. */
const ROW = (
  trace,
) => `SELECT $1::uuid, entry.id, ('00000000-0000-7000-8000-' || lpad(($3::int % 18)::text, 12, '0'))::uuid,
    'contacts', gen_random_uuid(), 'user' || $3::int % 200 || '@bench.test', 'round_robin',
    'The object was successfully assigned', ${trace}, '{"scope": ""}'::jsonb, clock_timestamp() FROM entry`;
const ENTRY = 'WITH entry AS MATERIALIZED (SELECT uuid_v7(clock_timestamp()) AS id)';
const WRITES = {
  beside: `${ENTRY} INSERT INTO assignments ${COLUMNS} ${ROW('$2::jsonb')}`,
  apart: `${ENTRY}, traced AS (INSERT INTO assignment_traces SELECT $1::uuid, id, $2::jsonb FROM entry)
    INSERT INTO assignments ${COLUMNS} ${ROW('NULL::jsonb')}`,
};
const DROPS = {
  beside:
    'UPDATE assignments SET trace = NULL WHERE id IN (SELECT id FROM assignments WHERE trace IS NOT NULL LIMIT 1000)',
  apart: 'DROP TABLE assignment_traces_first',
};

const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-traces-'));
const rows = [];
try {
  for (const steps of options.steps.split(',').map(Number)) {
    for (const way of ['beside', 'apart']) rows.push(await measure(way, steps));
  }
  console.log(
    table(['trace', 'where', 'µs', 'WAL', 'log', 'traces', 'drop: µs', 'drop: WAL', 'log after'], rows),
  );
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(way, steps) {
  const postgres = await EmbeddedPostgres.open({
    dataDir: join(dataDir, `${way}-${steps}`),
    maxConnections: 20,
  });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    const dataSource = await createDataSource({
      url: postgres.url,
      poolSize: 2,
      entities: ENTITIES,
      unlimited: true,
    }).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    await client.connect();
    const size = async (name) => {
      const { rows } = await client.query(
        'SELECT COALESCE(sum(pg_total_relation_size(relid)), 0)::int AS size FROM pg_partition_tree($1)',
        [name],
      );
      return Math.round(rows[0].size / entries);
    };
    const traceOf = traces(steps);
    const written = await costOf(client, async () => {
      for (let n = 0; n < entries; n++) {
        if (n % 500 === 0) await client.query('BEGIN');
        await client.query({ name: way, text: WRITES[way], values: [ACCOUNT, traceOf(n), n] });
        if (n % 500 === 499) await client.query('COMMIT');
      }
      await client.query('COMMIT');
    });
    const [log, apart] = [await size('assignments'), await size('assignment_traces')];
    const dropped = await costOf(client, async () => {
      let { rowCount } = await client.query(DROPS[way]);
      while (rowCount > 0) ({ rowCount } = await client.query(DROPS[way]));
    });
    return [traceOf(1).length, way, ...written, log, apart, ...dropped, await size('assignments')];
  } finally {
    await client.end();
    await postgres.close();
  }
}

/** @returns microseconds and bytes of WAL for each entry */
async function costOf(client, work) {
  const position = async () => (await client.query('SELECT pg_current_wal_lsn() AS lsn')).rows[0].lsn;
  const [from, started] = [await position(), performance.now()];
  await work();
  const micros = ((performance.now() - started) * 1_000) / entries;
  const { rows } = await client.query('SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::int AS bytes', [
    from,
  ]);
  return [micros.toFixed(1), Math.round(rows[0].bytes / entries)];
}

/** The trace of a decision among so many candidates. */
function traces(steps) {
  const step = (n) => (_, k) => ({
    step: k === 0 ? 'trigger' : 'candidate',
    user: `user${(n * 7 + k) % 200}@bench.test`,
    eligible: true,
    credit: [(n * 13 + k) % 1009, 7],
    reason: 'inside working hours',
  });
  return (n) => JSON.stringify(Array.from({ length: steps }, step(n)));
}
