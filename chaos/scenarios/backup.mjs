// A backup under load, with checkpoints inside, is restored and has all that was acknowledged before.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetAfter } from '../checker/check.mjs';
import { EmbeddedData } from '../database/embedded.mjs';
import { HoldingFile } from '../run/holding-file.mjs';
import { Site } from '../run/site.mjs';
import { require } from '../run/wait.mjs';
import { runCommand } from '../service/command.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';

const REQUESTS = 100;

/** MiB of a table that makes the copy take a while. */
const BALLAST = 64;

const MAKE_BALLAST = `CREATE TABLE ballast AS SELECT n, repeat(md5(n::text), 32) AS text
  FROM generate_series(1, ${BALLAST * 1024}) n`;

/** As many checkpoints as PostgreSQL allows: one for each 32 MiB that it writes to its log, at once. */
const MANY_CHECKPOINTS = '\nmax_wal_size = 32MB\nmin_wal_size = 32MB\ncheckpoint_completion_target = 0\n';

/** Checkpoints in the middle of the copy, beside the one with which the backup begins. */
const CHECKPOINTS = 2;

/** Milliseconds in which each comes. */
const CHECKPOINT_MS = 60_000;

/** MiB that are written to the log of PostgreSQL during the rest of the copy. */
const LOG_WRITES = 128;

const WRITE_LOG = `SELECT pg_logical_emit_message(false, 'chaos', repeat('x', 1024 * 1024))`;

/** Changes with each checkpoint that is complete. */
const LAST_CHECKPOINT = 'SELECT redo_lsn::text AS redo FROM pg_control_checkpoint()';

const lastCheckpoint = (client) => client.query(LAST_CHECKPOINT).then(({ rows }) => rows[0].redo);

/** Writes to the log of PostgreSQL until there was a checkpoint. */
async function causeCheckpoint(client) {
  const before = await lastCheckpoint(client);
  const isNew = async () => {
    await client.query(WRITE_LOG);
    return (await lastCheckpoint(client)) !== before;
  };
  await require('A checkpoint', isNew, { within: CHECKPOINT_MS });
}

/**
 * Holds the copy of a backup until there were checkpoints, and writes to the log of PostgreSQL until its end.
 * @param holding a file that the copy comes to
 * @returns what the backup does, and the checkpoints while the copy was held
 */
async function amongCheckpoints(site, holding, work) {
  let isDone = false;
  const result = work.finally(() => (isDone = true));
  let count = 0;
  const release = await holding.reached(() => isDone);
  await site.sql(async (client) => {
    try {
      while (release !== undefined && count < CHECKPOINTS) {
        await causeCheckpoint(client);
        count += 1;
      }
    } finally {
      release?.();
    }
    for (let n = 0; n < LOG_WRITES && !isDone; n++) await client.query(WRITE_LOG);
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
    const holding = new HoldingFile(join(site.data.cluster, 'base'));
    const began = performance.now();
    const env = { ...ENVIRONMENT, ...site.env };
    const command = runCommand(leftovers, env, { args: ['backup', backup] });
    const { code, stderr, count } = await amongCheckpoints(site, holding, command);
    findings.trial();
    await site.progress(REQUESTS);
    for (const { text, record } of await site.check())
      findings.fail(`The database itself: ${text}`, { record });
    await site.services[0].kill();
    if (code !== 0) findings.fail(`fairlead backup: exit code ${code}: ${stderr.trim()}`);
    else if (count < CHECKPOINTS)
      findings.fail('The copy was not held for checkpoints, so it proves nothing');
    else await restore({ site, findings, backup }, began);
  }
}

export const backup = { name: 'backup', promise: 'P9', trials: { quick: 1, long: 3 }, run };
