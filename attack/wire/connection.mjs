// A connection that sends bytes as they are and waits for as many answers.
import { once } from 'node:events';
import { connect } from 'node:net';
import { AnswerReader } from './answer-reader.mjs';

/** The answer of a request whose connection was cut, or that was not answered in time. */
const NONE = (status) => ({ status, headers: {}, body: Buffer.alloc(0), size: 0 });

export class Connection {
  /** @param port on which the service listens */
  static async open(port) {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await once(socket, 'connect');
    return new Connection(socket);
  }

  constructor(socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
  }

  get isOpen() {
    return !this.socket.destroyed && this.socket.writable;
  }

  /**
   * Sends one request.
   * @returns its answer, with `cut` or `late` as status where there is none
   */
  async ask(bytes, { bodiless = false, timeout = 120_000 } = {}) {
    const { socket } = this;
    const reader = new AnswerReader(bodiless);
    return new Promise((resolve) => {
      const finish = (answer) => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onEnd).off('end', onEnd);
        if (answer.headers.connection === 'close' || answer.status === 'late') socket.destroy();
        resolve(answer);
      };
      const onData = (chunk) => {
        const [answer] = reader.push(chunk);
        if (answer !== undefined) finish(answer);
      };
      const onEnd = () => finish(reader.end() ?? NONE('cut'));
      const timer = setTimeout(() => finish(NONE('late')), timeout);
      socket.on('data', onData).on('close', onEnd).on('end', onEnd);
      if (socket.destroyed) onEnd();
      else socket.write(bytes);
    });
  }

  close() {
    this.socket.destroy();
  }
}

/** Connections that are used again, as many as there are requests at a time. */
export class Connections {
  #idle = [];
  #all = new Set();

  constructor(port) {
    this.port = port;
  }

  /** @param options.alone whether the connection must not be used again */
  async ask(bytes, options = {}) {
    const connection = await this.#take();
    const answer = await connection.ask(bytes, options);
    if (options.alone) connection.close();
    if (connection.isOpen) this.#idle.push(connection);
    else this.#all.delete(connection);
    return answer;
  }

  close() {
    for (const connection of this.#all) connection.close();
    this.#idle = [];
  }

  async #take() {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen) return idle;
      this.#all.delete(idle);
    }
    const opened = await Connection.open(this.port);
    this.#all.add(opened);
    return opened;
  }
}
