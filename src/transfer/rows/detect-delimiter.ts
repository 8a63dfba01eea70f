const DELIMITERS = [',', ';', '\t'] as const;

/** The most bytes of the row of headings that are looked at. */
const MOST_BYTES = 64 * 1024;

/**
 * Finds what separates the cells of a CSV file: of comma, semicolon and tab, the one that its first line has
 * most of, outside of quotes.
 * @returns `chunks`: the file from its beginning
 */
export async function detectDelimiter(
  source: AsyncIterable<Buffer>,
): Promise<{ readonly delimiter: string; readonly chunks: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < MOST_BYTES && !start.includes('\n')) {
    const next = await iterator.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  return {
    delimiter: delimiterOf(start.toString('latin1', 0, MOST_BYTES)),
    chunks: resumed(start, iterator),
  };
}

function delimiterOf(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((each) => [each, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? ',';
}

async function* resumed(start: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
