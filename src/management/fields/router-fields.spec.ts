import { conditionsIn, namesField, valuesOf } from './router-fields.js';

const on = (field: string, value: unknown) => ({
  groups: [{ conditions: [{ field, operator: 'eq', value }] }],
});
const ROUTER = {
  name: 'Inbound',
  settings: {
    owner_field: 'engineer',
    trigger: on('region', 'EMEA'),
    rules: [
      {
        name: 'VIP',
        trigger: { groups: [...on('region', ['apac', 3]).groups, ...on('region', 'x').groups] },
      },
    ],
  },
};

describe('the uses of a field by a router', () => {
  it('are the field that it sets, its trigger and its rules, each once [contract 6]', () => {
    expect(namesField(ROUTER, 'engineer')).toEqual(['the router Inbound (owner_field)']);
    expect(namesField(ROUTER, 'region')).toEqual([
      'the router Inbound (trigger)',
      'the router Inbound (rule VIP)',
    ]);
    expect(namesField(ROUTER, 'city')).toEqual([]);
    expect(namesField({ name: 'Draft', settings: null }, 'city')).toEqual([]);
  });

  it('have the values that they compare with, as texts in lower case [contract 6]', () => {
    expect(conditionsIn(ROUTER, 'region').flatMap(({ condition }) => valuesOf(condition))).toEqual([
      'emea',
      'apac',
      'x',
    ]);
  });
});
