import { SeenKeys } from './seen-keys.js';

describe('The keys of a file', () => {
  it('are known again with the line of their first row, however many there are [contract 7]', () => {
    const seen = new SeenKeys();
    const keys = Array.from({ length: 20_000 }, (_, n) => `key ${n}`);
    expect(keys.filter((key, index) => seen.add(key, index + 1) !== undefined)).toEqual([]);
    expect(keys.map((key) => seen.add(key, 99_999))).toEqual(keys.map((_, index) => index + 1));
  });

  it('are remembered up to a number of them [contract 7]', () => {
    const seen = new SeenKeys(2);
    expect(['a', 'b', 'c', 'c', 'b'].map((key, index) => seen.add(key, index + 1))).toEqual([
      ...[undefined, undefined, undefined, undefined, 2],
    ]);
  });
});
