// A proxy in front of PostgreSQL that knows its protocol (version 3). Connections through it fail as a test asks for.
// The tests, `chaos` and `bench` share it; its types are in postgres-proxy.d.cts.
const { once } = require('node:events');
const { connect, createServer } = require('node:net');

const executes =
  (name) =>
  ({ type, text }) =>
    type === 'B' && text.includes(` ${name} `);

const commits = ({ type, text }) => type === 'Q' && text.startsWith('COMMIT');

const commitsAfter = (name) => (message) => commits(message) && message.before.includes(` ${name} `);

const commitsShared = (message) => commits(message) && message.query.includes('SET LOCAL lock_timeout');

class PostgresProxy {
  observe = () => undefined;
  rewriteError = (fields) => fields;
  #server = createServer((client) => this.#join(client));
  #sessions = new Set();
  #target;
  #isHalfOpen;
  #newcomers = 'served';
  #planned;
  #delay = 0;
  #delaying;
  /** Functions that let go what is held. */
  #held = new Set();

  constructor(target, isHalfOpen) {
    this.#target = target;
    this.#isHalfOpen = isHalfOpen;
  }

  static async start(databaseUrl, { isHalfOpen = false } = {}) {
    const url = new URL(databaseUrl);
    const [host, port] = [decodeURIComponent(url.hostname), Number(url.port)];
    const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
    const proxy = new PostgresProxy(target, isHalfOpen);
    await proxy.#listen(0);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    proxy.url = url.href;
    return proxy;
  }

  failAt(at, fault) {
    this.#planned = { at, fault };
  }

  get hasFailed() {
    return this.#planned === undefined;
  }

  delayAnswers(milliseconds, from) {
    this.#delaying = from && { milliseconds, from };
    if (from === undefined) this.#delay = milliseconds;
    if (milliseconds === 0) for (const release of [...this.#held]) release();
  }

  silence({ newcomers = false } = {}) {
    this.#newcomers = newcomers ? 'silenced' : 'served';
    for (const session of this.#sessions) session.fault = 'silence';
  }

  refuse() {
    this.#newcomers = 'reset';
  }

  async cut() {
    const closed = this.#server.listening ? once(this.#server, 'close') : undefined;
    this.#server.close();
    for (const { client, database } of this.#sessions) for (const end of [client, database]) end.destroy();
    await closed;
  }

  async restore() {
    this.#newcomers = 'served';
    if (!this.#server.listening) await this.#listen(this.port);
  }

  close() {
    return this.cut();
  }

  async #listen(port) {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
  }

  #join(client) {
    if (this.#newcomers === 'reset') return client.resetAndDestroy();
    const database = connect(this.#target);
    const session = { client, database, query: '', before: '', outstanding: 0, delivered: 0 };
    if (this.#newcomers === 'silenced') session.fault = 'silence';
    this.#sessions.add(session);
    // Messages are passed on one by one: none waits until the one before has arrived.
    for (const end of [client, database]) end.setNoDelay(true).on('error', () => undefined);
    // The other end of a half-open connection does not learn of it.
    const learns = () => !(this.#isHalfOpen && (session.fault === 'silence' || session.fault === 'swallow'));
    const left = () => client.destroyed && database.destroyed && this.#sessions.delete(session);
    const pass = this.#inOrder();
    client.on('close', () => (left(), learns() && database.destroy()));
    database.on('close', () => (left(), pass(() => learns() && client.destroy())));
    const [fromClient, fromDatabase] = [splitter(true), splitter(false)];
    client.on('data', (chunk) => {
      for (const message of fromClient(chunk)) this.#toDatabase(session, message);
    });
    database.on('data', (chunk) =>
      pass(() => {
        for (const message of fromDatabase(chunk)) this.#toClient(session, message);
      }),
    );
  }

  #toDatabase(session, { type, bytes }) {
    const isLost = () => session.fault === 'reset before' || session.fault === 'silence';
    if (isLost()) return;
    const text = bytes.subarray(5).toString('latin1').replaceAll('\0', ' ');
    const message = { type, text, query: session.query, before: session.before };
    this.observe(message);
    if (type === 'Q') session.query = text;
    if (type === 'Q' && text.startsWith('BEGIN')) session.before = '';
    if (type === 'B') session.before += text;
    if (this.#delaying?.from(message)) this.delayAnswers(this.#delaying.milliseconds);
    if (this.#planned?.at(message)) {
      session.fault = this.#planned.fault;
      session.delivered = session.outstanding;
      this.#planned = undefined;
      if (session.fault === 'reset before') session.client.resetAndDestroy();
      if (isLost()) return;
    }
    if (type === 'Q' || type === 'S') session.outstanding += 1;
    session.database.write(bytes);
  }

  #toClient(session, { type, bytes }) {
    if (session.fault === undefined || session.delivered > 0)
      session.client.write(type === 'E' ? this.#rewritten(bytes) : bytes);
    if (type !== 'Z') return;
    session.outstanding -= 1;
    if (session.delivered > 0) session.delivered -= 1;
    else if (session.fault === 'reset after' && session.outstanding === 0) session.client.resetAndDestroy();
  }

  #rewritten(bytes) {
    const fields = Buffer.from(this.rewriteError(bytes.toString('utf8', 5)));
    const head = Buffer.from(bytes.subarray(0, 5));
    head.writeInt32BE(fields.length + 4, 1);
    return Buffer.concat([head, fields]);
  }

  /** Returns a function that runs what it gets in its order, each after the delay. */
  #inOrder() {
    let before = Promise.resolve();
    return (act) => {
      const due = this.#delay === 0 ? Promise.resolve() : this.#later();
      before = Promise.all([before, due]).then(act);
    };
  }

  #later() {
    return new Promise((resolve) => {
      const release = () => {
        clearTimeout(timer);
        this.#held.delete(release);
        resolve();
      };
      const timer = setTimeout(release, this.#delay).unref();
      this.#held.add(release);
    });
  }
}

/**
 * Returns a function that cuts what arrives into whole messages. The first message of a client has no type,
 * and the answer to the login is no answer to a statement.
 */
function splitter(isClient) {
  let rest = Buffer.alloc(0);
  let [isUntyped, isLogin] = [isClient, !isClient];
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages = [];
    for (;;) {
      const head = isUntyped ? 0 : 1;
      if (rest.length < head + 4) return messages;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return messages;
      let type = isUntyped ? '' : String.fromCharCode(rest[0]);
      if (type === 'Z' && isLogin) [type, isLogin] = ['login', false];
      messages.push({ type, bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
      isUntyped = false;
    }
  };
}

module.exports = { PostgresProxy, commits, commitsAfter, commitsShared, executes };
