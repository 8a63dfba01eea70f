// Reads what a process uses, from /proc.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const SETTLED = 0.3;

/** Processor time and memory of one process. */
export class ProcessMeter {
  constructor(pid) {
    this.path = `/proc/${pid}`;
  }

  /** Milliseconds of processor time of all threads. */
  processorTime() {
    let nanoseconds = 0;
    for (const thread of readdirSync(`${this.path}/task`)) {
      const [spent] = readFileSync(`${this.path}/task/${thread}/schedstat`, 'latin1').split(' ');
      nanoseconds += Number(spent);
    }
    return nanoseconds / 1e6;
  }

  /** As processorTime, when the process has finished what it does behind its answers. */
  async settledTime() {
    let before = this.processorTime();
    for (let turns = 0; turns < 250; turns++) {
      await sleep(4);
      const now = this.processorTime();
      if (now - before < SETTLED && !this.#waitsForProcessor()) return now;
      before = now;
    }
    return before;
  }

  /** Whether a thread runs or would, so that a busy machine alone does not look like a settled process. */
  #waitsForProcessor() {
    return readdirSync(`${this.path}/task`).some((thread) => {
      const stat = readFileSync(`${this.path}/task/${thread}/stat`, 'latin1');
      return stat[stat.lastIndexOf(')') + 2] === 'R';
    });
  }

  /** Resident memory in MiB. */
  memory() {
    return this.#status('VmRSS');
  }

  /** The most resident memory since `forgetPeak`, in MiB. */
  peakMemory() {
    return this.#status('VmHWM');
  }

  forgetPeak() {
    writeFileSync(`${this.path}/clear_refs`, '5');
  }

  #status(name) {
    const text = readFileSync(`${this.path}/status`, 'latin1');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)[1]) / 1024;
  }
}
