const NEWLINE = 0x0a;
const MARK = Buffer.from('\uFEFF');

/** A line of a file. */
export interface Line {
  /** Its number, from 1. */
  readonly line: number;
  /** Without the newline; undefined for a line that is too long. */
  readonly bytes: Buffer | undefined;
}

/** Reads the lines of a file, of which it keeps no more than one. A byte order mark is left out. */
export async function* readLines(source: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Line> {
  let line = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length <= mostBytes) parts.push(part);
    else parts = [];
  };
  const end = (): Line => {
    const whole = Buffer.concat(parts);
    const bytes =
      line === 1 && whole.subarray(0, MARK.length).equals(MARK) ? whole.subarray(MARK.length) : whole;
    const ended = { line, bytes: length <= mostBytes ? bytes : undefined };
    [line, parts, length] = [line + 1, [], 0];
    return ended;
  };
  for await (const chunk of source) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, at));
      yield end();
      start = at + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield end();
}
