import { remainingShares } from './pool.js';

const pool = (...percentages: readonly number[]) => percentages.map((percentage, id) => ({ id, percentage }));

function left(percentages: readonly number[], gone: number): number[] {
  const all = pool(...percentages);
  const rest = all.filter(({ id }) => id !== gone);
  return remainingShares(all, rest).map(({ percentage }) => percentage);
}

describe('percentages of who is left of a pool', () => {
  it.each([
    [[40, 30, 30], 0, [50, 50]],
    [[50, 40, 10], 0, [80, 20]],
    [[50, 0, 50], 2, [100, 0]],
    [[25, 25, 25, 25], 3, [33.3334, 33.3333, 33.3333]],
    [[99.9999, 0.0001], 0, [100]],
  ])('%j without the one at %i are %j [contract 4, contract 6]', (all, gone, expected) => {
    expect(left(all, gone)).toEqual(expected);
  });

  it.each([
    ['nothing but 0 is left', [100, 0], 0, [0]],
    ['they did not sum to 100', [40, 30], 0, [30]],
    ['those who go had none', [0, 60, 40], 0, [60, 40]],
  ])('stay where %s', (_, all, gone, expected) => expect(left(all, gone)).toEqual(expected));

  it('stay away where there are none', () => {
    expect(remainingShares([{}, {}], [{}])).toEqual([{}]);
  });

  it('sum to 100 whatever they are', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const cuts = Array.from({ length: 6 }, (_, n) => (seed * 7919 * (n + 3)) % 1_000_001).sort(
        (a, b) => a - b,
      );
      const units = [0, ...cuts].map((cut, n) => ([...cuts, 1_000_000][n] ?? 0) - cut);
      const rest = left(
        units.map((unit) => unit / 10_000),
        seed % units.length,
      );
      const total = rest.reduce((sum, each) => sum + Math.round(each * 10_000), 0);
      expect([0, 1_000_000]).toContain(total);
    }
  });
});
