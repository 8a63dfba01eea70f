import { conditionsIn, namedFields, valuesOf } from './router-fields.js';

const on = (field: string, value: unknown) => ({
  groups: [{ conditions: [{ field, operator: 'eq', value }] }],
});
const ROUTER = {
  name: 'Inbound',
  objectType: 'contacts' as const,
  settings: {
    owner_field: 'engineer',
    trigger: on('region', 'EMEA'),
    rules: [
      {
        name: 'VIP',
        trigger: { groups: [...on('region', ['apac', 3]).groups, ...on('city', 'x').groups] },
      },
    ],
  },
};

describe('the uses of fields by a router', () => {
  it('are the field that it sets, its trigger and its rules [contract 6]', () => {
    expect(namedFields(ROUTER)).toEqual([
      { key: 'contacts.engineer', text: 'the router Inbound (owner_field)' },
      { key: 'contacts.region', text: 'the router Inbound (trigger)' },
      { key: 'contacts.region', text: 'the router Inbound (rule VIP)' },
      { key: 'contacts.city', text: 'the router Inbound (rule VIP)' },
    ]);
    expect(namedFields({ ...ROUTER, settings: null })).toEqual([]);
  });

  it('have the values that they compare with, as texts in lower case [contract 6]', () => {
    expect(conditionsIn(ROUTER).map(({ condition }) => valuesOf(condition))).toEqual([
      ['emea'],
      ['apac'],
      ['x'],
    ]);
  });
});
