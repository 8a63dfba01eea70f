import { valueChanges } from './value-changes.js';

const rule = (name: string, more: object = {}) => ({ name, users: [{ email: 'ada@acme.test' }], ...more });
const changes = (before: readonly object[], after: readonly object[]) =>
  valueChanges({ settings: { rules: before } }, { settings: { rules: after } });

describe('the values that differ', () => {
  it('are found in lists by name: a change of one word is one entry [contract 6]', () => {
    const before = Array.from({ length: 20 }, (_, index) => rule(`Rule ${index}`));
    const after = before.map((each, index) =>
      index === 7 ? { ...each, users: [{ email: 'ada@acme.test', percentage: 4 }] } : each,
    );
    expect(changes(before, after)).toEqual([
      { path: 'settings.rules[Rule 7].users[ada@acme.test].percentage', from: null, to: 4 },
    ]);
  });

  it('are items that come and go, and their order where it is not told by that [contract 6]', () => {
    const [a, b, c] = [rule('A'), rule('B'), rule('C')];
    expect(changes([a, b], [b, c])).toEqual([
      { path: 'settings.rules[A]', from: a, to: null },
      { path: 'settings.rules[C]', from: null, to: c },
    ]);
    expect(changes([a, b], [b, a])).toEqual([
      { path: 'settings.rules (order)', from: ['A', 'B'], to: ['B', 'A'] },
    ]);
    expect(changes([a, b], [c, a, b])).toEqual([
      { path: 'settings.rules[C]', from: null, to: c },
      { path: 'settings.rules (order)', from: ['A', 'B'], to: ['C', 'A', 'B'] },
    ]);
  });

  it('follow an id through another name [contract 6]', () => {
    expect(changes([rule('Old', { id: 'r1' })], [rule('New', { id: 'r1' })])).toEqual([
      { path: 'settings.rules[New].name', from: 'Old', to: 'New' },
    ]);
  });

  it('are options by internal name, and users by e-mail [contract 6]', () => {
    expect(
      valueChanges(
        { options: [{ internal_name: 'emea', label: 'EMEA' }], users: [{ email: 'a', percentage: 1 }] },
        { options: [{ internal_name: 'emea', label: 'Europe' }], users: [{ email: 'a', percentage: 2 }] },
      ).map(({ path }) => path),
    ).toEqual(['options[emea].label', 'users[a].percentage']);
  });

  it('are found by place in lists of as many objects without names [contract 6]', () => {
    const groups = (value: string) => [
      {
        conditions: [
          { field: 'city', value: 'Oslo' },
          { field: 'country', value },
        ],
      },
    ];
    expect(valueChanges({ groups: groups('Norway') }, { groups: groups('Sweden') })).toEqual([
      { path: 'groups[0].conditions[1].value', from: 'Norway', to: 'Sweden' },
    ]);
  });

  it.each([
    ['of texts', ['a'], ['a', 'b']],
    ['of objects without names, of which there are more', [{ days: [] }], [{ days: [] }, { days: ['tue'] }]],
    [
      'of objects with the same name, of which there are fewer',
      [{ name: 'a' }, { name: 'a' }],
      [{ name: 'a' }],
    ],
    ['that was none', null, [{ name: 'a' }]],
  ])('are one where a list is one %s', (_, from, to) => {
    expect(valueChanges({ list: from }, { list: to })).toEqual([{ path: 'list', from, to }]);
  });
});
