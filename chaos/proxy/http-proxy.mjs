// A load balancer: it gives requests to the services that say they are ready, in turn.
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../driver/ask.mjs';

/** Milliseconds between two questions whether a service is ready, and after which one is given up. */
const INTERVAL = 200;
const QUESTION = 1_000;

/** Milliseconds for which a request waits for a service that is ready, and between two looks. */
const PATIENCE = 10_000;
const LOOK = 20;

/** Headers that concern one connection. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);

export class HttpProxy {
  /** Whether it keeps its connections to the services. */
  keepsConnections = true;
  /** `{ from, to }`, by the monotonic clock: times in which requests waited because no service was ready. */
  waits = [];
  #ready = new Map();
  #next = 0;
  #running = true;
  #agents = { true: new Agent({ keepAlive: true }), false: new Agent({ keepAlive: false }) };

  static async start(leftovers) {
    const proxy = new HttpProxy();
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    leftovers.add(() => proxy.close());
    return proxy;
  }

  constructor() {
    this.server = createServer((incoming, outgoing) => void this.#forward(incoming, outgoing));
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  /** Asks a service from now on whether it is ready. */
  add(url) {
    this.#ready.set(url, false);
    void this.#watch(url);
  }

  remove(url) {
    this.#ready.delete(url);
  }

  isReady(url) {
    return this.#ready.get(url) === true;
  }

  close() {
    this.#running = false;
    this.server.close();
    this.server.closeAllConnections();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #watch(url) {
    const agent = new Agent();
    while (this.#running && this.#ready.has(url)) {
      const { status, error } = await ask(agent, `${url}/health/ready`, { timeout: QUESTION });
      // No answer within a second says that something is slow, and not that the service ends.
      if (error !== 'TIMEOUT' && this.#ready.has(url)) this.#ready.set(url, status === 200);
      await sleep(INTERVAL);
    }
  }

  /** A service that refuses the connection has got nothing, so the next one is asked. */
  async #forward(incoming, outgoing) {
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return;
    for (let url = await this.#choose(); url !== undefined; url = await this.#choose()) {
      const result = await this.#send(`${url}${incoming.url}`, incoming, body);
      if (result === 'ECONNREFUSED') {
        if (this.#ready.has(url)) this.#ready.set(url, false);
        continue;
      }
      if (typeof result === 'string')
        answerError(outgoing, 502, `The service has closed the connection: ${result}`);
      else answer(outgoing, result);
      return;
    }
    answerError(outgoing, 502, 'No service is ready');
  }

  /** Waits until a service is ready. @returns the one whose turn it is; undefined when none was in time */
  async #choose() {
    const from = performance.now();
    let url = this.#turn();
    if (url !== undefined) return url;
    while (url === undefined && this.#running && performance.now() - from < PATIENCE) {
      await sleep(LOOK);
      url = this.#turn();
    }
    this.waits.push({ from, to: performance.now() });
    return url;
  }

  #turn() {
    const urls = [...this.#ready].filter(([, ready]) => ready).map(([url]) => url);
    this.#next += 1;
    return urls[this.#next % urls.length];
  }

  /** @returns the answer, or the code of the error */
  #send(url, { method, headers }, body) {
    const agent = this.#agents[this.keepsConnections];
    return new Promise((resolve) => {
      const sent = request(url, { method, agent, headers: passedOn(headers) });
      sent.on('error', ({ code }) => resolve(code ?? 'ERROR'));
      sent.on('response', (response) => {
        const { statusCode: status, headers: received } = response;
        buffer(response).then(
          (content) => resolve({ status, headers: passedOn(received), content }),
          ({ code }) => resolve(code ?? 'ERROR'),
        );
      });
      sent.end(body);
    });
  }
}

const passedOn = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));

function answer(outgoing, { status, headers, content }) {
  outgoing.writeHead(status, { ...headers, 'content-length': content.length });
  outgoing.end(content);
}

function answerError(outgoing, status, message) {
  outgoing.writeHead(status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ message }));
}
