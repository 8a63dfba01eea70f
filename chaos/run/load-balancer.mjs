// A load balancer: it gives requests to the services that say they are ready, in turn.
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import { json as read } from 'node:stream/consumers';
import { ask } from '../driver/ask.mjs';
import { repeat, until } from './wait.mjs';

/** Milliseconds between two questions whether a service is ready, and after which one is given up. */
const INTERVAL = 200;
const QUESTION = 1_000;

/** Milliseconds for which a request waits for a service that is ready. */
const PATIENCE = 10_000;

export class LoadBalancer {
  /** Whether it keeps its connections to the services. */
  keepsConnections = true;
  /** `{ from, to }`, by the monotonic clock: times in which requests waited because no service was ready. */
  waits = [];
  #leftovers;
  /** By address, `{ isReady, stop }`. */
  #services = new Map();
  #next = 0;
  #agents = { true: new Agent({ keepAlive: true }), false: new Agent({ keepAlive: false }) };
  #server = createServer((incoming, outgoing) => void this.#forward(incoming, outgoing));

  static async start(leftovers) {
    const balancer = new LoadBalancer(leftovers);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    leftovers.add(() => balancer.#close());
    return balancer;
  }

  constructor(leftovers) {
    this.#leftovers = leftovers;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Asks a service from now on whether it is ready. */
  add(url) {
    const service = { isReady: false };
    this.#services.set(url, service);
    const question = async () => {
      const { status, error } = await ask(this.#agents.false, `${url}/health/ready`, { timeout: QUESTION });
      // No answer within a second says that something is slow, and not that the service ends.
      if (error !== 'TIMEOUT') service.isReady = status === 200;
    };
    service.stop = repeat(this.#leftovers, question, INTERVAL);
  }

  remove(url) {
    void this.#services.get(url).stop();
    this.#services.delete(url);
  }

  isReady(url) {
    return this.#services.get(url)?.isReady === true;
  }

  #close() {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** A service that refuses the connection has got nothing, so the next one is asked. */
  async #forward(incoming, outgoing) {
    const { method, url: path, headers } = incoming;
    const json = headers['content-length'] === undefined ? undefined : await read(incoming);
    const token = headers.authorization?.split(' ')[1];
    const options = { method, json, token, key: headers['idempotency-key'] };
    for (let url = await this.#choose(); url !== undefined; url = await this.#choose()) {
      const agent = this.#agents[this.keepsConnections];
      const { status = 502, body, error } = await ask(agent, `${url}${path}`, options);
      if (error !== 'ECONNREFUSED') return answer(outgoing, status, body ?? { message: error });
      if (this.isReady(url)) this.#services.get(url).isReady = false;
    }
    answer(outgoing, 502, { message: 'No service is ready' });
  }

  /** Waits until a service is ready. @returns the one whose turn it is; undefined when none was in time */
  async #choose() {
    const from = performance.now();
    const turn = this.#turn();
    if (turn !== undefined) return turn;
    const late = await until(() => this.#turn(), { within: PATIENCE });
    this.waits.push({ from, to: performance.now() });
    return late;
  }

  #turn() {
    const urls = [...this.#services.keys()].filter((url) => this.isReady(url));
    this.#next += 1;
    return urls[this.#next % urls.length];
  }
}

function answer(outgoing, status, body) {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(status === 204 ? undefined : JSON.stringify(body));
}
