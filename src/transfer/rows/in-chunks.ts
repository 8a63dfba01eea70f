import type { SourceRow } from './source-row.js';

/** The most rows of a chunk, and the bytes from which on it has no further row. */
const MOST = { rows: 500, bytes: 4 * 1024 * 1024 };

/** Puts rows together that are looked up and written at once. */
export async function* inChunks(rows: AsyncIterable<SourceRow>): AsyncGenerator<readonly SourceRow[]> {
  let chunk: SourceRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    chunk.push(row);
    bytes += row.bytes;
    if (chunk.length < MOST.rows && bytes < MOST.bytes) continue;
    yield chunk;
    [chunk, bytes] = [[], 0];
  }
  if (chunk.length > 0) yield chunk;
}
