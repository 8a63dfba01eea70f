// CPU time and memory of processes, as Linux tells them. Elsewhere, nothing is known.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds of a tick of the kernel's clock. */
const TICK = 10;

const isKnown = existsSync('/proc/self/stat');

/** The fields of /proc/<pid>/stat behind the name, which may have spaces. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}

const PARENT = 1;
const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14];

/** Milliseconds of CPU time of a process since it started; undefined where they are not known. */
export function cpuOf(pid) {
  const stat = isKnown ? statOf(pid) : undefined;
  return stat && (stat[USER] + stat[SYSTEM]) * TICK;
}

/** Milliseconds of CPU time of a PostgreSQL server: of its processes, those that have ended too. */
export function cpuOfCluster(postmaster) {
  if (!isKnown) return undefined;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = pids.map((pid) => [Number(pid), statOf(pid)]).filter(([, stat]) => stat !== undefined);
  return stats.reduce((sum, [pid, stat]) => {
    if (pid !== postmaster && stat[PARENT] !== postmaster) return sum;
    const ended = pid === postmaster ? stat[CHILDREN_USER] + stat[CHILDREN_SYSTEM] : 0;
    return sum + (stat[USER] + stat[SYSTEM] + ended) * TICK;
  }, 0);
}

/** The process of an embedded server. */
export function postmasterOf(dataDir) {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** MiB of resident memory of a process, now and at most; undefined where they are not known. */
export function memoryOf(pid) {
  if (!isKnown) return undefined;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name) => Math.round(Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)?.[1]) / 1024);
  return { now: mib('VmRSS'), most: mib('VmHWM') };
}
