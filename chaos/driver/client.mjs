// One client: it sends one request after the other, and owns the records that it made.
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';
import { OPERATIONS, drawOperation } from './operations.mjs';
import { isOpen, saysTryAgain } from './outcome.mjs';

/** Records that a client remembers. */
const MOST_RECORDS = 20;

/** Milliseconds that a client waits after a failure. */
const AFTER_FAILURE = 50;

export class Client {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #records = [];
  #tokens = 0;

  /** @param options as of `Driver`, with `number`, `random` and `isRunning` */
  constructor(options) {
    Object.assign(this, options);
  }

  async run() {
    while (this.isRunning()) {
      await this.#step();
      await sleep(this.random.below(2 * this.pause + 1));
    }
    this.#agent.destroy();
  }

  /** A value that no other request has. */
  newToken() {
    this.#tokens += 1;
    return `${this.prefix}-${this.number}-${this.#tokens}`;
  }

  anyRecord() {
    return this.random.one(this.#records);
  }

  async #step() {
    const name = this.#records.length < 2 ? 'create' : drawOperation(this.random, this.mix);
    const { request, send } = OPERATIONS[name](this);
    const { recorder } = this;
    const key = this.usesKeys && request.kind !== 'get' ? randomUUID() : undefined;
    recorder.begin(Object.assign(request, { client: this.number, target: this.target, key }));
    await this.#send(request, send);
    recorder.end(request);
    this.#remember(request);
    if (request.outcome !== 'acknowledged') await sleep(AFTER_FAILURE);
  }

  /**
   * Sends it. An obedient client sends it again where the answer says so, and nowhere else. With a key it is
   * sent again as long as it is not known what became of it.
   */
  async #send(request, { method, path, json }) {
    for (;;) {
      const answer = await ask(this.#agent, `${this.urlOf(this.target)}${path}`, {
        method,
        json,
        token: this.token,
        key: request.key,
        timeout: this.timeout,
      });
      this.recorder.attempt(request, answer);
      if (request.key !== undefined && isOpen(answer)) {
        await sleep(AFTER_FAILURE);
        continue;
      }
      if (!this.isObedient || !saysTryAgain(answer) || !this.isRunning()) return;
      await sleep(Number(answer.headers['retry-after']) * 1_000);
    }
  }

  #remember(request) {
    const { kind, record, items } = request;
    if (kind === 'create') {
      if (request.outcome === 'acknowledged') this.#records.push(record);
      if (this.#records.length > MOST_RECORDS) this.#records.shift();
      return;
    }
    for (const each of items ?? [request]) each.record.events.push(each);
    if (kind !== 'delete') return;
    // After a delete nothing else is asked, whatever became of it.
    record.gone = true;
    this.#records = this.#records.filter((each) => each !== record);
  }
}
