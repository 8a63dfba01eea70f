// A proxy in front of PostgreSQL that can make connections fail at chosen statements.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { require } from '../run/wait.mjs';
import { Session } from './session.mjs';
import { isKind } from './statements.mjs';

export class PostgresProxy {
  /** @internal: milliseconds by which answers are delayed */
  delay = 0;
  sessions = new Set();
  #faults = new Set();
  #isRefusing = false;
  #silencesNewcomers = false;

  /** @param target { host, port } of the database */
  static async start(leftovers, target) {
    const proxy = new PostgresProxy(target);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    leftovers.add(() => proxy.close());
    return proxy;
  }

  constructor(target) {
    this.server = createServer((socket) => this.#join(socket, target));
  }

  get port() {
    return this.server.address().port;
  }

  /**
   * Makes one connection fail, at the next statement of a kind, and waits until it has.
   * @param fault.kind a key of STATEMENTS
   * @param fault.when `before`: the statement does not reach the database; `after`: it is done (with its
   *   transaction), and its answer does not reach the client
   * @param fault.how `cut`, or `silence`, which keeps both connections open
   * @throws Error when no client sends such a statement
   */
  async failNext(fault) {
    let hasHappened = false;
    const armed = { ...fault, happened: () => (hasHappened = true) };
    this.#faults.add(armed);
    await require(`A ${fault.kind} that fails`, () => hasHappened).finally(() => this.#faults.delete(armed));
  }

  /** @internal: the fault for a statement, which happens once */
  faultFor(text) {
    for (const fault of this.#faults) {
      if (!isKind(fault.kind, text)) continue;
      this.#faults.delete(fault);
      return fault;
    }
    return undefined;
  }

  /** Delays what the database answers by some milliseconds, until the next call. What is held then goes on. */
  delayAnswers(milliseconds) {
    this.delay = milliseconds;
    for (const session of this.sessions) session.flush();
  }

  cutAll() {
    for (const session of this.sessions) session.cut();
  }

  /** Lets nothing through any more. @param options.newcomers for new connections, too, until `restore` */
  silence({ newcomers = false } = {}) {
    for (const session of this.sessions) session.silence();
    this.#silencesNewcomers = newcomers;
  }

  /** Closes all connections, and new ones until `restore`. */
  refuse() {
    this.#isRefusing = true;
    this.cutAll();
  }

  /** Lets new connections through again. Silent ones stay silent. */
  restore() {
    this.#isRefusing = false;
    this.#silencesNewcomers = false;
  }

  async close() {
    this.server.close();
    this.cutAll();
    await Promise.all([...this.sessions].map(({ closed }) => closed));
  }

  #join(socket, target) {
    if (this.#isRefusing) {
      socket.on('error', () => undefined);
      socket.destroy();
      return;
    }
    const session = new Session(socket, target, this);
    this.sessions.add(session);
    session.closed.then(() => this.sessions.delete(session));
    if (this.#silencesNewcomers) session.silence();
  }
}
