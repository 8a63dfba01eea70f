import { optionKey, usesIn } from './configuration-uses.js';

const on = (field: string, value: unknown = 'x') => ({
  groups: [{ conditions: [{ field, operator: 'eq', value }] }],
});
const inContacts = { name: 'Inbound', objectType: 'contacts' as const };
const asked = (settings: object | null, keys: readonly string[], teams: { teamId: string }[] = []) => {
  const usesOf = usesIn([{ ...inContacts, settings: settings as never, teams }], []);
  return keys.map(usesOf);
};

describe('the uses by a router', () => {
  it('are in its pool, its rules, and the steps of each [contract 6]', () => {
    const settings = {
      trigger: on('city'),
      steps: [{ teams: [{ teamId: 'First' }] }],
      rules: [
        { name: 'VIP', trigger: on('state'), teams: [{ teamId: 'Sales' }, { teamId: 'Nord' }] },
        { name: 'Rest', steps: [{ users: [] }, { teams: [{ teamId: 'Last' }] }] },
      ],
    };
    const keys = ['Own', 'First', 'Sales', 'Nord', 'Last', 'contacts.city', 'contacts.state', 'deals.city'];
    expect(asked(settings, keys, [{ teamId: 'Own' }])).toEqual([
      ['the router Inbound'],
      ['the router Inbound (step 1)'],
      ['the router Inbound (rule VIP)'],
      ['the router Inbound (rule VIP)'],
      ['the router Inbound (rule Rest step 2)'],
      ['the router Inbound (trigger)'],
      ['the router Inbound (rule VIP)'],
      [],
    ]);
  });

  it('are none where nothing is set', () => {
    expect(asked(null, ['contacts.city'])).toEqual([[]]);
  });

  it('of fields are the one that it sets, its trigger and its rules [contract 6]', () => {
    const settings = {
      owner_field: 'engineer',
      trigger: on('region', 'EMEA'),
      rules: [
        {
          name: 'VIP',
          trigger: { groups: [...on('region', ['apac', 3]).groups, ...on('city').groups] },
        },
      ],
    };
    expect(asked(settings, ['contacts.engineer', 'contacts.region', 'contacts.city'])).toEqual([
      ['the router Inbound (owner_field)'],
      ['the router Inbound (trigger)', 'the router Inbound (rule VIP)'],
      ['the router Inbound (rule VIP)'],
    ]);
    const options = ['emea', 'apac', '3'].map((option) =>
      optionKey({ objectType: 'contacts', internalName: 'region' }, option),
    );
    expect(asked(settings, options)).toEqual([
      ['the router Inbound (trigger)'],
      ['the router Inbound (rule VIP)'],
      [],
    ]);
  });
});
