/** The bytes that a file begins with, and those behind them. */
export interface Beginning {
  readonly bytes: Buffer;
  readonly rest: AsyncIterable<Buffer>;
}

/** Reads at least so many bytes of a file, or all of it. */
export async function beginningOf(source: AsyncIterable<Buffer>, least: number): Promise<Beginning> {
  const iterator = source[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  for (let length = 0; length < least;) {
    const next = await iterator.next();
    if (next.done === true) break;
    parts.push(next.value);
    length += next.value.length;
  }
  return { bytes: Buffer.concat(parts), rest: resumed([], iterator) };
}

/** Goes on with what is left, behind what was taken. */
export async function* resumed<T>(taken: readonly T[], iterator: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* taken;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
