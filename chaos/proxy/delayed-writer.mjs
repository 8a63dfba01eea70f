// Passes bytes on to a socket, in their order, each some time after it came.

export class DelayedWriter {
  /** `{ bytes, at }`: what is held, and when it goes on by the monotonic clock. */
  #held = [];
  #timer;

  constructor(socket) {
    this.socket = socket;
  }

  /** @param delay milliseconds */
  write(bytes, delay) {
    if (delay === 0 && this.#held.length === 0) {
      this.socket.write(bytes);
      return;
    }
    this.#held.push({ bytes, at: performance.now() + delay });
    this.#timer ??= setTimeout(() => this.#pass(), delay);
  }

  /** Passes on all that is held. */
  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { bytes } of this.#held.splice(0)) this.#send(bytes);
  }

  #pass() {
    this.#timer = undefined;
    const now = performance.now();
    while (this.#held.length > 0 && this.#held[0].at <= now) this.#send(this.#held.shift().bytes);
    if (this.#held.length > 0) this.#timer = setTimeout(() => this.#pass(), this.#held[0].at - now);
  }

  #send(bytes) {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }
}
