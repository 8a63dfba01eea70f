// A PostgreSQL server by the pid file in its directory.
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { require } from '../run/wait.mjs';

/** @returns { pid, port, socketDirectory } of the file; undefined when there is none that is complete */
export function postmasterOf(cluster) {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    return pid > 0 && port > 0 ? { pid, port, socketDirectory: lines[4] ?? '' } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the process exists and works in the directory. Without /proc, existence is enough. */
export function runsIn(pid, cluster) {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return false;
  }
}

/**
 * Sends a signal to the server of a directory, if it runs, and waits for its end.
 * @returns whether it ran
 */
export async function endPostmaster(cluster, signal) {
  const found = postmasterOf(cluster);
  if (found === undefined || !runsIn(found.pid, cluster)) return false;
  process.kill(found.pid, signal);
  await require(`End of PostgreSQL ${found.pid}`, () => !runsIn(found.pid, cluster));
  return true;
}
