/**
 * Does things a portion at a time, each portion at once. Many at once would wait for each other longer than a
 * request waits.
 * @param most in one portion
 * @param work does the thing with a number, from 0
 * @returns the results in their order
 */
export async function inPortions<T>(
  count: number,
  most: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count) {
    const begin = results.length;
    const portion = Array.from({ length: Math.min(most, count - begin) }, (_, index) => work(begin + index));
    results.push(...(await Promise.all(portion)));
  }
  return results;
}
