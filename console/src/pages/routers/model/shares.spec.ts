import { totalOf } from './shares';

it('adds shares as decimals, in any order', () => {
  const third = { percentage: 33.33 };
  expect(totalOf([third, third, third, { percentage: 0.01 }])).toBe(100);
  expect(totalOf([{ percentage: 0.01 }, third, third, third])).toBe(100);
  expect(totalOf([{ percentage: 0.1 }, { percentage: 0.2 }, {}])).toBe(0.3);
  expect(totalOf([{ percentage: 50 }, { percentage: 49.9999 }])).toBe(99.9999);
});
