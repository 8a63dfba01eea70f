// Reads the answers that arrive on one socket.
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Collects bytes and returns each answer when it is complete: { status, headers, body, size }. */
export class AnswerReader {
  #chunks = [];
  #size = 0;
  #head;

  /** @param bodiless whether the answers have no body, such as those of HEAD */
  constructor(bodiless = false) {
    this.bodiless = bodiless;
  }

  /** @returns the answers that the chunk completes */
  push(chunk) {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const answers = [];
    for (let answer = this.#next(); answer !== undefined; answer = this.#next()) answers.push(answer);
    return answers;
  }

  /** The answer whose end is the end of the connection. */
  end() {
    if (this.#head === undefined) return undefined;
    return this.#answer(this.#size);
  }

  #next() {
    if (this.#size === 0) return undefined;
    this.#head ??= readHead(this.#whole());
    if (this.#head === undefined) return undefined;
    const { start, length, chunked, status } = this.#head;
    if (this.bodiless || status === 204 || status === 304) return this.#answer(start);
    if (length !== undefined) return this.#size >= start + length ? this.#answer(start + length) : undefined;
    if (!chunked || !this.#chunks.at(-1).subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return undefined;
    return this.#answer(this.#size);
  }

  #answer(size) {
    const { status, headers, start } = this.#head;
    const all = this.#whole();
    this.#head = undefined;
    this.#chunks = [all.subarray(size)];
    this.#size = all.length - size;
    return { status, headers, body: all.subarray(start, size), size };
  }

  #whole() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }
}

function readHead(bytes) {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const [first, ...lines] = bytes.latin1Slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  return {
    status: Number(first.split(' ')[1]),
    headers,
    start: end + END_OF_HEAD.length,
    length,
    chunked: headers['transfer-encoding'] === 'chunked',
  };
}
