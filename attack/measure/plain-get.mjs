// Processor time of a plain GET by id, in which everything else is measured.
import { median } from '../../bench/support/load.mjs';
import { request } from '../wire/request.mjs';

/** Plain GETs that are measured together, and measurements that count. */
const GETS = 40;
const LATEST = 9;
const WARM_UP = 2_000;

export class PlainGet {
  #times = [];

  constructor({ record, attacker, ask }, meter) {
    this.bytes = request('GET', `/contacts/${record}`, { token: attacker.token });
    this.ask = ask;
    this.meter = meter;
  }

  /** Milliseconds: the median of the latest measurements. */
  get time() {
    return median(this.#times.slice(-LATEST));
  }

  async measure() {
    if (this.#times.length === 0) for (let n = 0; n < WARM_UP; n++) await this.ask(this.bytes);
    for (let round = 0; round < LATEST / 3; round++) {
      const start = await this.meter.settledTime();
      for (let n = 0; n < GETS; n++) await this.ask(this.bytes);
      this.#times.push(((await this.meter.settledTime()) - start) / GETS);
    }
  }
}
