// Cuts a stream of the PostgreSQL protocol (version 3) into messages.

const LENGTH = 4;

/** Splits what one side sends. The first message of a client has no type. */
export class MessageReader {
  #rest = Buffer.alloc(0);
  #isStart;

  /** @param isStart whether the first message has no type */
  constructor(isStart) {
    this.#isStart = isStart;
  }

  /** @returns the complete messages, each `{ type, body, bytes }`; the type of the first one is '' */
  push(chunk) {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages = [];
    for (;;) {
      const head = this.#isStart ? 0 : 1;
      if (rest.length < head + LENGTH) break;
      const size = head + rest.readInt32BE(head);
      if (rest.length < size) break;
      const bytes = rest.subarray(0, size);
      const type = head === 0 ? '' : String.fromCharCode(bytes[0]);
      messages.push({ type, body: bytes.subarray(head + LENGTH), bytes });
      rest = rest.subarray(size);
      this.#isStart = false;
    }
    this.#rest = rest;
    return messages;
  }
}

/** @returns the text up to the next zero byte, and the position behind it */
export function readText(body, from = 0) {
  const end = body.indexOf(0, from);
  return { text: body.toString('utf8', from, end), next: end + 1 };
}
