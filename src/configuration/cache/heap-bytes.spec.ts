import { user } from '../../../test/units/engine-fixtures.js';
import { configurationOf, routerOf } from '../../../test/units/configuration.js';
import { heapBytes } from './heap-bytes.js';

const CUSTOM = {
  objectType: 'contacts' as const,
  internalName: 'score',
  label: 'Score',
  type: 'number',
  options: [],
  standard: false,
};

describe('the bytes of heap of a configuration', () => {
  const empty = heapBytes(configurationOf());

  it('are few for an account that has the standard fields only', () => {
    expect(empty).toBeLessThan(2_000);
  });

  it.each([
    ['users', configurationOf({ users: [user('ada')] })],
    ['fields of its own', configurationOf({ fields: [CUSTOM] })],
    ['routers', configurationOf({ routers: [routerOf('R', [])] })],
  ])('are more for an account with %s, and the same again', (_, configuration) => {
    expect(heapBytes(configuration)).toBeGreaterThan(empty + 300);
    expect(heapBytes(configuration)).toBe(heapBytes(configuration));
  });

  it('are most for rules, which are compiled', () => {
    const text = 'x'.repeat(1_000);
    const bytes = (settings: Record<string, unknown>): number =>
      heapBytes(configurationOf({ routers: [routerOf('R', [], { settings })] }));
    expect(bytes({ rules: [text] })).toBeGreaterThan(2 * bytes({ default_user: text }));
  });
});
