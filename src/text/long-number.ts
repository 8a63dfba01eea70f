/**
 * A number of a JSON text that has more digits than a double keeps. It is no object and no number for those
 * who ask for one of them.
 */
export class LongNumber {
  readonly #text: string;

  /** @param text a plain decimal, as it was sent */
  constructor(text: string) {
    this.#text = text;
  }

  get [Symbol.toStringTag](): string {
    return 'LongNumber';
  }

  toString(): string {
    return this.#text;
  }

  /** The nearest double. */
  valueOf(): number {
    return Number(this.#text);
  }
}
