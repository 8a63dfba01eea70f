// The disk of the embedded database is full: first for its tables, then for its log, which ends the server.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failOnInternalErrors } from '../run/internal-errors.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';

/** MiB of the file system. */
const SIZE = 256;

/** Milliseconds for which clients write to the full disk. */
const FULL = 3_000;

/** Milliseconds in which the service serves again. */
const BOUND = 10_000;

/** Writes of 1 MiB each to the log of PostgreSQL, more than the file that it has at hand. */
const LOG_WRITES = 40;

/** @returns a file system of its own; undefined where this user may not mount one */
function mountDisk(leftovers) {
  const directory = mkdtempSync(join(tmpdir(), 'fairlead-chaos-disk-'));
  leftovers.add(() => rmdirSync(directory));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}m`, 'tmpfs', directory], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  leftovers.add(() => execFileSync('umount', [directory]));
  return directory;
}

function fill(file) {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [2 ** 20, 2 ** 12]) {
      const block = Buffer.alloc(size);
      while (write(descriptor, block));
    }
  } finally {
    closeSync(descriptor);
  }
}

function write(descriptor, block) {
  try {
    return writeSync(descriptor, block) === block.length;
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
    return false;
  }
}

/** PostgreSQL ends when it cannot write its log, and with it this connection. */
async function fillLog(site) {
  const text = `SELECT pg_logical_emit_message(false, 'chaos', repeat('x', 1024 * 1024))`;
  await site
    .sql(async (client) => {
      for (let n = 0; n < LOG_WRITES; n++) await client.query(text);
    })
    .catch(() => undefined);
}

async function run(context) {
  const { findings, leftovers, trials } = context;
  const disk = mountDisk(leftovers);
  if (disk === undefined) {
    findings.notRun = 'needs root';
    return;
  }
  const directory = join(disk, 'data');
  mkdirSync(directory, { mode: 0o700 });
  const site = await Site.embedded(context, directory);
  await site.start();
  site.drive();
  for (let trial = 0; trial < trials; trial++) {
    await site.progress();
    const ballast = join(disk, 'ballast');
    fill(ballast);
    await sleep(FULL);
    await fillLog(site);
    await sleep(FULL / 3);
    const since = performance.now();
    rmSync(ballast);
    await expectServesAgain({ site, findings }, { bound: BOUND, since, what: 'the disk was full' });
    findings.trial();
    if (findings.failures.length > 0) break;
  }
  failOnInternalErrors({ site, findings });
  await findings.checked(site);
}

export const fullDisk = { name: 'full-disk', promise: 'P1 P4 P8', trials: { quick: 1, long: 3 }, run };
