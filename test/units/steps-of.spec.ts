import { stepsOf } from './steps-of.js';

const LIST = Array.from({ length: 50 }, (_, n) => `key${n}`);
const TEXT = LIST.join();

it('counts the items that are gone through', () => {
  expect(stepsOf(() => LIST.map((key) => key))).toBe(50);
  expect(stepsOf(() => LIST.filter((key) => LIST.some((other) => key === other)))).toBe(50 + 50 * 50);
  expect(stepsOf(() => [LIST.indexOf('key7'), LIST.indexOf('none', 10)])).toBe(7 + 40);
});

it('counts the characters that are gone through', () => {
  expect(stepsOf(() => TEXT.replace(/,$/, ''))).toBe(TEXT.length);
  expect(stepsOf(() => [TEXT.indexOf(',', 3), TEXT.indexOf('none', 10)])).toBe(1 + TEXT.length - 10);
});

it('counts nothing any more when the work has ended, or failed', () => {
  const { map } = Array.prototype;
  expect(() =>
    stepsOf(() => {
      throw new Error('failed');
    }),
  ).toThrow('failed');
  expect(Array.prototype.map).toBe(map);
});
