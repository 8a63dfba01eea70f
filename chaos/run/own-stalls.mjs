// When this program itself stood still, so that it saw answers later than they came.

/** Milliseconds between two looks at the clock, and from which being late counts. */
const INTERVAL = 20;
const LATE = 100;

/** Milliseconds for which stalls are kept. */
const KEPT = 60_000;

export class OwnStalls {
  #stalls = [];
  #seenAt = performance.now();
  #timer = setInterval(() => this.#look(), INTERVAL).unref();

  /** @returns milliseconds of a time that this program stood still */
  within(from, to) {
    this.#look();
    const parts = this.#stalls.map((stall) => Math.min(stall.to, to) - Math.max(stall.from, from));
    return parts.filter((part) => part > 0).reduce((sum, part) => sum + part, 0);
  }

  stop() {
    clearInterval(this.#timer);
  }

  #look() {
    const now = performance.now();
    if (now - this.#seenAt > INTERVAL + LATE) this.#stalls.push({ from: this.#seenAt + INTERVAL, to: now });
    while (this.#stalls.length > 0 && this.#stalls[0].to < now - KEPT) this.#stalls.shift();
    this.#seenAt = now;
  }
}
