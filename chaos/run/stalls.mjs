// When the machine let this program or a process under observation stand still, so that answers came late.
import { readFileSync } from 'node:fs';

/** Milliseconds between two looks at the clock, and at the processes. */
const INTERVAL = 20;
const PROCESS_INTERVAL = 100;

/** Milliseconds from which a wait counts. */
const LATE = 100;

const NANOSECONDS = 1_000_000;

/** `{ pid, from, to }` by the monotonic clock. Those of this program have no `pid`. */
const stalls = [];
/** By id, the milliseconds that a process has waited for a processor, as seen last. */
const waits = new Map();
let clockAt = performance.now();
let processesAt = clockAt;
setInterval(() => look(PROCESS_INTERVAL), INTERVAL).unref();

/** Observes a process until it ends: its main thread, where it has many. Only Linux tells of it. */
export function observe(pid) {
  const waited = waitOf(pid);
  if (!waits.has(pid) && waited !== undefined) waits.set(pid, waited);
}

/**
 * What a process does itself, such as to compute for long, is no stall of it.
 * @returns milliseconds of a time in which this program or any of some processes stood still
 */
export function stalledWithin(from, to, pids) {
  look(0);
  const of = new Set([undefined, ...pids]);
  const parts = stalls.filter((stall) => of.has(stall.pid) && stall.from < to && stall.to > from);
  let [sum, counted] = [0, from];
  for (const part of parts.sort((a, b) => a.from - b.from)) {
    const end = Math.min(part.to, to);
    sum += Math.max(0, end - Math.max(part.from, counted));
    counted = Math.max(counted, end);
  }
  return sum;
}

function look(interval) {
  const now = performance.now();
  if (now - clockAt > INTERVAL + LATE) stalls.push({ from: clockAt + INTERVAL, to: now });
  clockAt = now;
  if (now - processesAt < interval) return;
  processesAt = now;
  for (const [pid, before] of waits) {
    const waited = waitOf(pid);
    if (waited === undefined) waits.delete(pid);
    else waits.set(pid, waited);
    if (waited - before > LATE) stalls.push({ pid, from: now - (waited - before), to: now });
  }
}

/** @returns milliseconds without a processor so far; undefined where nobody tells */
function waitOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / NANOSECONDS;
  } catch {
    return undefined;
  }
}
