import { inUse } from './configuration-change.js';

const uses = (count: number): string[] => Array.from({ length: count }, (_, index) => `the router ${index}`);

describe('what cannot be removed', () => {
  it('says what uses it, and how many more where there are many [contract 6]', () => {
    const messageOf = (count: number): string => inUse('The team Sales', uses(count)).message;
    expect(messageOf(2)).toBe('The team Sales is in use: the router 0, the router 1');
    expect(messageOf(5)).toMatch(/: the router 0, .*, the router 4$/);
    expect(messageOf(6)).toMatch(/: the router 0, .*, the router 4 and 1 more$/);
    expect(messageOf(7)).toMatch(/: the router 0, .*, the router 4 and 2 more$/);
  });

  it('is a 409 with every use, up to as many as an error lists [contract 1, contract 6]', () => {
    const { error } = inUse('The team Sales', uses(102));
    expect([error.status, error.code, error.details.errors?.length, error.details.omitted]).toEqual([
      409,
      'conflict',
      100,
      2,
    ]);
  });
});
