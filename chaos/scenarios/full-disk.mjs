// The disk of the embedded database is full: first for its tables, then for its log, which ends the server.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';

/** MiB of the file system. */
const SIZE = 256;

/** Milliseconds for which clients write to the full disk. */
const FULL = 3_000;

/** Writes of 1 MiB each to the log of PostgreSQL, more than the file that it has at hand. */
const LOG_WRITES = 40;

export const fullDisk = {
  name: 'full-disk',
  promise: 'P1 P4 P8',
  trials: { quick: 1, long: 3 },
  async openSite(context) {
    const disk = mountDisk(context.leftovers);
    if (disk === undefined) {
      context.findings.notRun = 'needs root';
      return undefined;
    }
    context.ballast = join(disk, 'ballast');
    mkdirSync(join(disk, 'data'), { mode: 0o700 });
    return Site.embedded(context, join(disk, 'data'));
  },
  async trial({ site, findings, ballast }) {
    fill(ballast);
    await sleep(FULL);
    await fillLog(site);
    await sleep(FULL / 3);
    const since = performance.now();
    rmSync(ballast);
    await expectServesAgain({ site, findings }, { since, what: 'the disk was full' });
  },
  judge: ({ site, findings }) => findings.failOnInternalErrors(site.recorder),
};

/** @returns a file system of its own; undefined where this user may not mount one */
function mountDisk(leftovers) {
  const directory = leftovers.directory();
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
    for (const size of [2 ** 20, 2 ** 12]) while (writeSync(descriptor, Buffer.alloc(size)) === size);
  } catch (error) {
    if (error.code !== 'ENOSPC') throw error;
  } finally {
    closeSync(descriptor);
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
