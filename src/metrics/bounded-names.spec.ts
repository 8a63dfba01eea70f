import { BoundedNames } from './bounded-names.js';

describe('names with series of their own', () => {
  it('are the first ones, and stay so', () => {
    const names = new BoundedNames(2);
    expect(['a', 'b', 'c', 'a', 'd', 'b'].map((name) => names.has(name))).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('are none where none are wanted', () => expect(new BoundedNames(0).has('a')).toBe(false));
});
