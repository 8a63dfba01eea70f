// When the machine let this program or a process under observation stand still, so that answers came late.
import { readFileSync } from 'node:fs';

/** Milliseconds between two looks at the clock, and at the processes. */
const INTERVAL = 20;
const PROCESS_INTERVAL = 100;

/** Milliseconds from which a wait counts. */
const LATE = 100;

const NANOSECONDS = 1_000_000;

/**
 * Looks at the clock, and at what the kernel tells of the processes: how long they had to wait for a processor,
 * and whether a signal has suspended them. What a process does itself, such as to compute for long, is no stall
 * of it. Only Linux tells this; elsewhere the stalls of this program are all that is known.
 */
export class Stalls {
  /** `{ from, to }`, by the monotonic clock. They may overlap. */
  #all = [];
  /** By id, what was seen last of a process. */
  #watched = new Map();
  #clockAt = performance.now();
  #processesAt = performance.now();
  #timer = setInterval(() => this.#look(), INTERVAL).unref();

  /** Observes a process until it ends: its main thread, where it has many. */
  watch(pid) {
    const state = this.#watched.has(pid) ? undefined : stateOf(pid);
    if (state !== undefined) this.#watched.set(pid, state);
  }

  /** @returns milliseconds of a time in which any of them stood still */
  within(from, to) {
    this.#look();
    this.#lookAtProcesses(performance.now());
    const parts = this.#all.filter((stall) => stall.from < to && stall.to > from);
    let [sum, counted] = [0, from];
    for (const part of parts.sort((a, b) => a.from - b.from)) {
      const end = Math.min(part.to, to);
      sum += Math.max(0, end - Math.max(part.from, counted));
      counted = Math.max(counted, end);
    }
    return sum;
  }

  stop() {
    clearInterval(this.#timer);
  }

  #look() {
    const [now, before] = [performance.now(), this.#clockAt];
    this.#clockAt = now;
    if (now - before > INTERVAL + LATE) this.#note(before + INTERVAL, now);
    if (now - this.#processesAt >= PROCESS_INTERVAL) this.#lookAtProcesses(now);
  }

  #lookAtProcesses(now) {
    const before = this.#processesAt;
    this.#processesAt = now;
    for (const [pid, known] of this.#watched) {
      const state = stateOf(pid);
      if (state === undefined) {
        this.#watched.delete(pid);
        continue;
      }
      this.#watched.set(pid, state);
      const waited = state.waited - known.waited;
      if (waited > LATE) this.#note(now - waited, now);
      if (state.isSuspended && known.isSuspended) this.#note(before, now);
    }
  }

  #note(from, to) {
    const last = this.#all.at(-1);
    if (last !== undefined && last.from <= from && from <= last.to) last.to = Math.max(last.to, to);
    else this.#all.push({ from, to });
  }
}

/** @returns { waited, isSuspended }: milliseconds without a processor so far; undefined where nobody tells */
function stateOf(pid) {
  try {
    const [schedule, status] = ['schedstat', 'stat'].map((file) =>
      readFileSync(`/proc/${pid}/${file}`, 'utf8'),
    );
    // The name of the program comes before it, and may have spaces and brackets.
    const state = status.slice(status.lastIndexOf(')') + 2);
    return { waited: Number(schedule.split(' ')[1]) / NANOSECONDS, isSuspended: state.startsWith('T') };
  } catch {
    return undefined;
  }
}
