/** Most rows of one statement. */
const MOST_AT_ONCE = 500;

/** Runs work on rows in groups of bounded size, one after the other. Does nothing where there are none. */
export async function inBatches<Row>(
  rows: readonly Row[],
  work: (batch: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += MOST_AT_ONCE) {
    await work(rows.slice(start, start + MOST_AT_ONCE));
  }
}
