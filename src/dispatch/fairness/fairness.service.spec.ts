import { entriesAtOnce } from './fairness.service.js';

describe('the turns of a router', () => {
  it.each([
    ['few at first', 0, 0, 20],
    ['many where pools are small', 20, 240, 500],
    ['as many as have 50,000 candidates where pools are large', 20, 40_000, 25],
    ['one at least', 20, 20 * 200_000, 1],
    ['many where nobody had a turn', 500, 0, 500],
  ])('are read %s', (_, read, seen, most) => {
    expect(entriesAtOnce(read, seen)).toBe(most);
  });
});
