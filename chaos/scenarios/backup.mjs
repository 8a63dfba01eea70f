// A backup under load, with checkpoints inside, is restored and has all that was acknowledged before.
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetAfter } from '../checker/check.mjs';
import { EmbeddedData } from '../database/embedded.mjs';
import { Site } from '../run/site.mjs';
import { until } from '../run/wait.mjs';
import { runCommand } from '../service/command.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';

const REQUESTS = 100;

/** MiB of a table that makes the copy take a while. */
const BALLAST = 64;

const MAKE_BALLAST = `CREATE TABLE ballast AS SELECT n, repeat(md5(n::text), 32) AS text
  FROM generate_series(1, ${BALLAST * 1024}) n`;

/** As many checkpoints as PostgreSQL allows: one for each 32 MiB that it writes to its log, at once. */
const MANY_CHECKPOINTS = '\nmax_wal_size = 32MB\nmin_wal_size = 32MB\ncheckpoint_completion_target = 0\n';

/** MiB that are written to the log of PostgreSQL during the copy. */
const LOG_WRITES = 128;

const COUNT_CHECKPOINTS = 'SELECT (num_timed + num_requested)::int AS count FROM pg_stat_checkpointer';

const checkpoints = (client) => client.query(COUNT_CHECKPOINTS).then(({ rows }) => rows[0].count);

/**
 * Writes to the log of PostgreSQL as soon as the folder has something of the backup.
 * @returns what the work does, and the checkpoints since then
 */
async function amongCheckpoints(site, folder, work) {
  let isDone = false;
  const result = work.finally(() => (isDone = true));
  const count = await site.sql(async (client) => {
    await until(() => isDone || readdirSync(folder).length > 0, { every: 5 });
    const before = await checkpoints(client);
    const text = `SELECT pg_logical_emit_message(false, 'chaos', repeat('x', 1024 * 1024))`;
    for (let n = 0; n < LOG_WRITES && !isDone; n++) await client.query(text);
    await result;
    return (await checkpoints(client)) - before;
  });
  return { ...(await result), count };
}

/** Every index has the rows of its table. */
async function checkIndexes(site, findings) {
  for (const table of ['records', 'assignments']) {
    const counts = await site.sql(async (client) => {
      const count = `SELECT count(*)::int AS count FROM ${table} WHERE id IS NOT NULL`;
      await client.query('SET enable_seqscan = off');
      const byIndex = (await client.query(count)).rows[0].count;
      await client.query('SET enable_seqscan = on; SET enable_indexscan = off');
      await client.query('SET enable_indexonlyscan = off; SET enable_bitmapscan = off');
      return [byIndex, (await client.query(count)).rows[0].count];
    });
    if (counts[0] !== counts[1])
      findings.fail(`${table}: ${counts[0]} rows by index, ${counts[1]} in the table`);
  }
}

/** Restores a backup, starts the service on it, and checks all that was acknowledged before an instant. */
async function restore({ site, findings, backup }, began) {
  const { leftovers, options, account, recorder } = site;
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-chaos-'));
  leftovers.add(() => rmSync(folder, { recursive: true, force: true }));
  const data = new EmbeddedData(leftovers, join(folder, 'data'));
  const env = { DATA_DIR: data.directory };
  const { code, stderr } = await runCommand(
    leftovers,
    { ...ENVIRONMENT, ...env },
    { args: ['restore', backup] },
  );
  if (code !== 0) {
    findings.fail(`fairlead restore: exit code ${code}: ${stderr.trim()}`);
    return;
  }
  const connection = () => data.connection();
  const restored = new Site({ leftovers, options, account, connection, env, data });
  restored.recorder = recorder;
  await restored.start();
  await checkIndexes(restored, findings);
  forgetAfter(recorder, began);
  await findings.checked(restored);
}

async function run(context) {
  const { findings, leftovers, trials } = context;
  for (let trial = 0; trial < trials; trial++) {
    const site = await Site.embedded(context);
    appendFileSync(join(site.data.cluster, 'postgresql.conf'), MANY_CHECKPOINTS);
    await site.start();
    await site.sql((client) => client.query(MAKE_BALLAST));
    site.drive();
    await site.progress(REQUESTS);
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-chaos-'));
    leftovers.add(() => rmSync(folder, { recursive: true, force: true }));
    const backup = join(folder, 'backup');
    const began = performance.now();
    const env = { ...ENVIRONMENT, ...site.env };
    const command = runCommand(leftovers, env, { args: ['backup', backup] });
    const { code, stderr, count } = await amongCheckpoints(site, folder, command);
    findings.trial();
    await site.progress(REQUESTS);
    for (const { text, record } of await site.check())
      findings.fail(`The database itself: ${text}`, { record });
    await site.services[0].kill();
    if (code !== 0) findings.fail(`fairlead backup: exit code ${code}: ${stderr.trim()}`);
    // The first one is that of the backup.
    else if (count < 2) findings.fail('There was no checkpoint during the backup, so it proves nothing');
    else await restore({ site, findings, backup }, began);
  }
}

export const backup = { name: 'backup', promise: 'P9', trials: { quick: 1, long: 3 }, run };
