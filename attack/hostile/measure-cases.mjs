// Runs each case by itself, and then three times a second beside another account's client.
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../bench/support/load.mjs';
import { Connections } from '../wire/connection.mjs';
import { asserted, exceeded, isSound } from './bounds.mjs';
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

function least(one, other) {
  return {
    ...(one.multiple < other.multiple ? one : other),
    memory: Math.min(one.memory, other.memory),
    slowdown: (one.slowdown?.multiple ?? 0) < (other.slowdown?.multiple ?? 0) ? one.slowdown : other.slowdown,
    answer: isSound(one.answer) ? other.answer : one.answer,
  };
}

export class CaseRunner {
  /** @param options { samples, seconds, victim } of a case; `victim` says whether it is asked beside requests */
  constructor({ port, meter, plain }, victim, options) {
    Object.assign(this, { port, meter, plain, victim, options });
    this.connections = new Connections(port);
  }

  /** Measures a case. One that exceeds a bound is measured again, and the least of each counts. */
  async run(each) {
    let result = await this.#once(each);
    for (let again = 0; again < AGAIN && asserted(exceeded(result), this.options.quick).length > 0; again++) {
      result = least(result, await this.#once(each));
    }
    return result;
  }

  async #once(each) {
    const { meter } = this;
    meter.forgetPeak();
    const before = meter.memory();
    const measured = each.crowd === undefined ? await this.#request(each) : await this.#crowd(each);
    const memory = Math.max(meter.peakMemory() - before, 0);
    const units = Math.max(measured.requests, Math.ceil(measured.sent / UNIT));
    return { ...each, ...measured, memory, units, multiple: measured.time / units / this.plain.time };
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
    if (!this.options.victim) return { sent: bytes.length, requests, answer, time };
    const slowdown = await this.#beside(async (end) => {
      const running = [];
      while (performance.now() < end) {
        running.push(ask());
        await sleep(1_000 / RATE);
      }
      return () => Promise.all(running);
    });
    return { sent: bytes.length, requests, answer, time, slowdown };
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
      else together = Math.min(Math.max(Math.floor(10 / time), 1), 10);
    }
    return median(times);
  }

  async #crowd({ crowd }) {
    const start = await this.meter.settledTime();
    let sent = 0;
    const slowdown = await this.#beside(async (end) => {
      const opened = openCrowd(this.port, crowd);
      ({ sent } = opened);
      await sleep(Math.max(end - performance.now(), 0));
      return opened.stop;
    });
    const victims = slowdown.count * this.plain.time;
    const time = Math.max((await this.meter.settledTime()) - start - victims, 0);
    return { sent, requests: crowd.count * crowd.units, answer: undefined, time, slowdown };
  }

  /** The median of the victim's requests while `work` runs, as a multiple of that before. */
  async #beside(work) {
    const { victim, options } = this;
    const quiet = await victim.measure((options.seconds * 1_000) / 2);
    const end = performance.now() + options.seconds * 1_000;
    const [during, finish] = await Promise.all([victim.measure(options.seconds * 1_000), work(end)]);
    await finish();
    return {
      ...during,
      quiet: quiet.p50,
      multiple: during.p50 / quiet.p50,
      count: quiet.count + during.count,
    };
  }
}
