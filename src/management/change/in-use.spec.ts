import { inUse, inUseMessage, requireUnused } from './in-use.js';

const uses = (count: number): string[] => Array.from({ length: count }, (_, index) => `the router ${index}`);

describe('what cannot be removed', () => {
  it('says what uses it, and how many more where there are many [contract 6]', () => {
    const what = 'The team Sales';
    expect(inUseMessage({ what, uses: uses(2) })).toBe(
      'The team Sales is in use: the router 0, the router 1',
    );
    expect(inUseMessage({ what, uses: uses(5) })).toMatch(/: the router 0, .*, the router 4$/);
    expect(inUseMessage({ what, uses: uses(6) })).toMatch(/: the router 0, .*, the router 4 and 1 more$/);
    expect(inUseMessage({ what, uses: uses(7) })).toMatch(/: the router 0, .*, the router 4 and 2 more$/);
  });

  it('is a 409 with every use, up to as many as an error lists [contract 1, contract 6]', () => {
    const error = inUse({ what: 'The team Sales', uses: uses(102) });
    expect([error.status, error.code, error.details.errors?.length, error.details.omitted]).toEqual([
      409,
      'conflict',
      100,
      2,
    ]);
    expect(() => requireUnused({ what: 'The team Sales', uses: [] })).not.toThrow();
    expect(() => requireUnused({ what: 'The team Sales', uses: uses(1) })).toThrow('is in use: the router 0');
  });
});
