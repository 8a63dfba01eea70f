// Runs each case by itself, and then three times a second beside another account's client.
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/support/load.mjs';
import { Connections } from '../wire/connection.mjs';
import { exceeded, isSound } from './bounds.mjs';
import { openCrowd } from './sockets.mjs';

/** Bytes for which the processor time of one plain GET counts. */
const UNIT = 16 * 1024;

const RATE = 3;

/** The records of a list, or the results of a batch; otherwise one. */
function itemsOf({ status, body }) {
  if (status !== 200) return 1;
  const { data, results } = JSON.parse(body);
  return Math.max((data ?? results ?? []).length, 1);
}

/** How often a case that exceeds a bound is measured again. */
const AGAIN = 2;

/**
 * One result of several: the least of what other load on the machine can only increase, and the median of the
 * ratio of two times, which it moves both ways.
 */
function combined(results) {
  const least = (name) => [...results].sort((one, other) => one[name] - other[name])[0];
  const slowdowns = results.map(({ slowdown }) => slowdown).filter((each) => each !== undefined);
  slowdowns.sort((one, other) => one.multiple - other.multiple);
  return {
    ...least('multiple'),
    memory: least('memory').memory,
    slowdown: slowdowns[Math.floor(slowdowns.length / 2)],
    answer: results.find(({ answer }) => !isSound(answer))?.answer ?? results[0].answer,
  };
}

export class CaseRunner {
  /** @param options { samples, seconds, victim } of a case; `victim` says whether it is asked beside requests */
  constructor({ port, meter, plain }, victim, options) {
    Object.assign(this, { port, meter, plain, victim, options });
    this.connections = new Connections(port);
  }

  /** Measures a case, and again where it exceeds a bound. */
  async run(each) {
    const results = [await this.#once(each)];
    const isSuspect = () => exceeded(combined(results), this.options.quick).length > 0;
    while (results.length <= AGAIN && isSuspect()) results.push(await this.#once(each));
    return combined(results);
  }

  async #once(each) {
    const { meter } = this;
    meter.forgetPeak();
    const before = meter.memory();
    const alone = each.crowd === undefined ? await this.#request(each) : await this.#crowd(each);
    const moved = (alone.peak ?? meter.peakMemory()) - before;
    const slowdown = this.options.victim ? await this.#beside(alone.again) : undefined;
    const units = Math.max(alone.requests, Math.ceil(alone.sent / UNIT));
    const multiple = alone.time / units / this.plain.time;
    return { ...each, ...alone, units, multiple, slowdown, memory: Math.max(moved, slowdown?.moved ?? 0, 0) };
  }

  close() {
    this.connections.close();
  }

  async #request({ make, bodiless, alone, countsItems = false }) {
    const bytes = make();
    const ask = () => this.connections.ask(bytes, { bodiless, alone });
    const answer = await ask();
    const requests = countsItems ? itemsOf(answer) : 1;
    const time = await this.#time(ask);
    const again = async (end) => {
      const running = [];
      while (performance.now() < end) {
        running.push(ask());
        await sleep(1_000 / RATE);
      }
      return () => Promise.all(running);
    };
    return { sent: bytes.length, requests, answer, time, again };
  }

  /** The median of several samples; of several together where one takes too little to be measured. */
  async #time(ask) {
    const { meter } = this;
    const times = [];
    let together = 1;
    let start = await meter.settledTime();
    for (let sample = 0; sample <= this.options.samples; sample++) {
      for (let n = 0; n < together; n++) await ask();
      const end = await meter.settledTime();
      const time = (end - start) / together;
      start = end;
      // The first sample warms up the code and says how many requests make a sample.
      if (sample > 0) times.push(time);
      else together = Math.min(Math.max(Math.floor(10 / time), 1), this.options.together);
    }
    return median(times);
  }

  async #crowd({ crowd }) {
    // As the first sample of a request, the first crowd warms up the code. It says what memory one needs.
    await this.#during(() => openCrowd(this.port, crowd));
    const peak = this.meter.peakMemory();
    const idle = await this.#during(() => ({ stop: () => undefined }));
    const { sent, time: whole } = await this.#during(() => openCrowd(this.port, crowd));
    const time = Math.max(whole - idle.time, 0);
    const again = async (end) => {
      const opened = [];
      do {
        opened.push(openCrowd(this.port, crowd));
        await sleep(crowd.repeats ? 1_000 / RATE : Math.max(end - performance.now(), 0));
      } while (performance.now() < end);
      return () => opened.forEach((each) => each.stop());
    };
    return { sent, requests: crowd.count * crowd.units, answer: undefined, time, peak, again };
  }

  /** The processor time of the process while something is open, idle or not. */
  async #during(open) {
    const start = await this.meter.settledTime();
    const { sent, stop } = open();
    await sleep(this.options.seconds * 1_000);
    const time = (await this.meter.settledTime()) - start;
    stop();
    return { sent, time };
  }

  /**
   * The median of the victim's requests while `work` runs, as a multiple of that before, and by how much the
   * most memory exceeds that before.
   */
  async #beside(work) {
    const { victim, options, meter } = this;
    meter.forgetPeak();
    const quiet = await victim.measure((options.seconds * 1_000) / 2);
    const before = meter.peakMemory();
    const end = performance.now() + options.seconds * 1_000;
    const [during, finish] = await Promise.all([victim.measure(options.seconds * 1_000), work(end)]);
    await finish();
    return { multiple: during.p50 / quiet.p50, moved: meter.peakMemory() - before };
  }
}
