import { inChunks } from './record-importer.js';
import type { SourceRow } from '../rows/source-row.js';

async function* rows(sizes: readonly number[]): AsyncGenerator<SourceRow> {
  for (const [index, bytes] of sizes.entries())
    yield Promise.resolve({ line: index + 1, bytes, content: null, key: null, fields: {} });
}

it('Rows are put together by number, and by size where they are large [contract 7]', async () => {
  const lengths = async (sizes: readonly number[]): Promise<number[]> => {
    const found: number[] = [];
    for await (const chunk of inChunks(rows(sizes))) found.push(chunk.length);
    return found;
  };
  expect(await lengths([])).toEqual([]);
  expect(await lengths(Array.from({ length: 1001 }, () => 10))).toEqual([500, 500, 1]);
  expect(await lengths([3e6, 3e6, 10, 5e6, 10])).toEqual([2, 2, 1]);
});
