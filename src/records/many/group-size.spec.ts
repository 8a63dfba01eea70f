import { GroupSize } from './group-size.js';

let size: GroupSize;
beforeEach(() => (size = new GroupSize(100)));

describe('The number of writes that are looked at together', () => {
  it('is what a group may have, while groups have all that was looked at [contract 7]', () => {
    expect(size.now).toBe(100);
    size.note(100, 100);
    size.note(30, 30);
    expect(size.now).toBe(100);
  });

  it('is twice the group that was smaller, and grows with the next ones [contract 7]', () => {
    size.note(100, 3);
    expect(size.now).toBe(6);
    size.note(6, 6);
    expect(size.now).toBe(12);
    // Fewer than asked for were there: they tell nothing of more.
    size.note(1, 1);
    expect(size.now).toBe(12);
    size.note(12, 0);
    expect(size.now).toBe(1);
    size.note(1, 1);
    expect(size.now).toBe(2);
    size.note(100, 99);
    expect(size.now).toBe(100);
  });

  it('makes all together a few times their number, however small the groups are [contract 7]', () => {
    for (const group of [0, 1, 2, 7, 40]) {
      let looked = 0;
      for (let left = 10_000; left > 0;) {
        const now = Math.min(size.now, left);
        const done = Math.min(now, group);
        looked += now;
        size.note(now, done);
        left -= Math.max(1, done);
      }
      expect(looked).toBeLessThan(31_000);
    }
  });
});
