import type { CapacitiesRepository } from '../../capacities/index.js';
import type { FieldDefinitionEntity, FieldsRepository, FieldTypeRegistry } from '../../fields/index.js';
import type { RoutersRepository } from '../../routers/index.js';
import { newRun } from '../../../test/units/apply.js';
import { FieldsKind } from '../kinds/fields.kind.js';
import { ConfigurationUses, optionKey, usesIn } from './configuration-uses.js';

const comparing = (field: string, value: string) => ({
  trigger: { groups: [{ conditions: [{ field, operator: 'eq', value }] }] },
});
const ROUTERS = [
  { name: 'Inbound', objectType: 'contacts', settings: comparing('region', 'EMEA'), teams: [] },
  {
    name: 'Won',
    objectType: 'deals',
    teams: [],
    settings: comparing('region', 'apac'),
    draft: { name: 'Won', users: [], teams: [], settings: { owner_field: 'engineer' } },
  },
];
const CAPACITIES = [{ name: 'Open', objectType: 'contacts', field: 'region', values: ['emea'], teams: [] }];

const field = (objectType: string, internalName: string) =>
  ({ id: `${objectType} ${internalName}`, objectType, internalName }) as FieldDefinitionEntity;

let reads: number;
beforeEach(() => (reads = 0));

const kind = new FieldsKind(
  {} as FieldsRepository,
  {} as FieldTypeRegistry,
  new ConfigurationUses(
    { listWithDrafts: () => Promise.resolve((reads++, ROUTERS)) } as unknown as RoutersRepository,
    { list: () => Promise.resolve(CAPACITIES) } as unknown as CapacitiesRepository,
  ),
  { count: () => Promise.resolve(new Map([['apac', 2]])) },
);

describe('the uses', () => {
  it('of fields are routers and capacities of their type, which are read once for all fields [contract 6]', async () => {
    const fields = [
      field('contacts', 'region'),
      field('deals', 'region'),
      field('deals', 'engineer'),
      field('tickets', 'region'),
    ];
    const uses = await kind.uses(newRun(), fields);
    expect([...uses].map(([id, { message }]) => [id, message])).toEqual([
      [
        'contacts region',
        'The field contacts.region is in use: the router Inbound (trigger), the capacity Open',
      ],
      ['deals region', 'The field deals.region is in use: the router Won (trigger)'],
      ['deals engineer', 'The field deals.engineer is in use: the router Won (owner_field)'],
    ]);
    expect(reads).toBe(1);
  });

  it('of options are records, conditions and capacities of their field [contract 6]', async () => {
    const options = ['emea', 'apac', 'amer'];
    expect(await kind.optionUses(newRun(), field('contacts', 'region'), options)).toEqual([
      'emea by the router Inbound (trigger)',
      'emea by the capacity Open',
      'apac by 2 records',
    ]);
  });
});

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
