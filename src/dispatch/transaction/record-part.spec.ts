import { bytesOfEach, firstPart } from './record-part.js';

const MIB = 1024 * 1024;
const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `o${n}`);
const sizes = (...all: [number, number][]): Map<string, number> =>
  new Map(all.map(([n, bytes]) => [`o${n}`, bytes]));

describe('The records of one transaction', () => {
  it.each([2, 3, 63, 64])('fit where each of %d is small', (count) => {
    expect(bytesOfEach(count) * count).toBeLessThanOrEqual(8 * MIB);
    expect(firstPart(ids(count), new Map())).toEqual(ids(count));
  });

  it('are any one, however large', () => {
    expect(bytesOfEach(1)).toBeGreaterThan(10 * MIB);
    expect(firstPart(ids(1), sizes([0, 10 * MIB]))).toEqual(['o0']);
    expect(firstPart(ids(2), sizes([0, 10 * MIB]))).toEqual(['o0']);
  });

  it('have 8 MiB together and not a byte more, of which the small ones count as much as they may have', () => {
    expect(firstPart(ids(2), sizes([0, 4 * MIB]))).toEqual(['o0', 'o1']);
    expect(firstPart(ids(2), sizes([0, 4 * MIB], [1, 4 * MIB]))).toEqual(['o0', 'o1']);
    expect(firstPart(ids(2), sizes([0, 4 * MIB], [1, 4 * MIB + 1]))).toEqual(['o0']);
    expect(firstPart(ids(4), sizes([1, 5 * MIB]))).toEqual(['o0', 'o1']);
  });

  it('are the first ones, also where a later one is smaller', () => {
    expect(firstPart(ids(3), sizes([0, 5 * MIB], [1, 5 * MIB]))).toEqual(['o0']);
  });
});
