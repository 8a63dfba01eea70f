// One connection through the proxy.
import { connect } from 'node:net';
import { DelayedWriter } from './delayed-writer.mjs';
import { MessageReader } from './message-reader.mjs';
import { Statements } from './statements.mjs';

/** Types of messages that the server answers with ReadyForQuery. */
const ENDS_GROUP = new Set(['Q', 'S']);

const READY = 'Z';
const IDLE = 'I'.charCodeAt(0);

export class Session {
  #statements = new Statements();
  #isSilent = false;
  /** The fault of a statement that was let through, and the answers to it, which the client does not get. */
  #held;
  /** Groups of messages that the server has not answered yet, the one of the start included. */
  #open = 1;

  /** @param proxy gives `faultFor(text)` and `delay` */
  constructor(client, target, proxy) {
    this.client = client;
    this.server = connect(target);
    this.proxy = proxy;
    this.answers = new DelayedWriter(client);
    // Not by `once`, which rejects when the socket emits an error.
    this.closed = Promise.all([this.client, this.server].map(ended));
    this.#join();
  }

  /** Closes both connections. */
  cut() {
    this.client.destroy();
    this.server.destroy();
  }

  /** Passes on the answers that are held. */
  flush() {
    this.answers.flush();
  }

  /** Keeps both connections and lets nothing through any more. */
  silence() {
    this.#isSilent = true;
  }

  #join() {
    const fromClient = new MessageReader(true);
    const fromServer = new MessageReader(false);
    this.client.on('data', (chunk) => {
      for (const message of fromClient.push(chunk)) this.#toServer(message);
    });
    this.server.on('data', (chunk) => {
      for (const message of fromServer.push(chunk)) this.#toClient(message);
    });
    for (const [end, other] of [
      [this.client, this.server],
      [this.server, this.client],
    ]) {
      end.setNoDelay(true);
      end.on('close', () => {
        // The other side of a silent connection does not learn of it.
        if (!this.#isSilent) other.destroy();
      });
    }
  }

  #toServer(message) {
    if (this.#isSilent) return;
    const text = this.#statements.textOf(message);
    const fault = this.#held === undefined ? this.proxy.faultFor(text) : undefined;
    if (fault?.when === 'before') {
      this.#fail(fault);
      return;
    }
    if (fault !== undefined) this.#held = { fault, messages: [], after: this.#open };
    if (ENDS_GROUP.has(message.type)) this.#open += 1;
    this.server.write(message.bytes);
  }

  #toClient(message) {
    if (this.#isSilent) return;
    const isReady = message.type === READY;
    if (isReady) this.#open -= 1;
    const held = this.#held;
    if (held === undefined) {
      this.#answer(message.bytes);
      return;
    }
    if (held.after > 0) {
      // The answer to something that was sent before.
      this.#answer(message.bytes);
      if (isReady) held.after -= 1;
      return;
    }
    held.messages.push(message.bytes);
    if (!isReady) return;
    if (message.body[0] === IDLE) this.#fail(held.fault);
    // A transaction is open: what matters is the answer of its COMMIT.
    else for (const bytes of held.messages.splice(0)) this.#answer(bytes);
  }

  #fail(fault) {
    fault.happened();
    if (fault.how === 'cut') this.cut();
    else this.silence();
  }

  #answer(bytes) {
    this.answers.write(bytes, this.proxy.delay);
  }
}

function ended(socket) {
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', resolve));
}
