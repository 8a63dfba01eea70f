import type { CapacitiesRepository } from '../../capacities/index.js';
import type { FieldDefinitionEntity, FieldsRepository, FieldTypeRegistry } from '../../fields/index.js';
import type { RoutersRepository } from '../../routers/index.js';
import { newRun } from '../../../test/units/apply.js';
import { conditionsIn, namedFields, valuesOf } from './field-uses.js';
import { FieldsKind } from './fields.kind.js';

const comparing = (field: string, value: string) => ({
  trigger: { groups: [{ conditions: [{ field, operator: 'eq', value }] }] },
});
const ROUTERS = [
  { name: 'Inbound', objectType: 'contacts', settings: comparing('region', 'EMEA') },
  {
    name: 'Won',
    objectType: 'deals',
    settings: comparing('region', 'apac'),
    draft: { name: 'Won', users: [], teams: [], settings: { owner_field: 'engineer' } },
  },
];
const CAPACITIES = [{ name: 'Open', objectType: 'contacts', field: 'region', values: ['emea'] }];

const field = (objectType: string, internalName: string) =>
  ({ id: `${objectType} ${internalName}`, objectType, internalName }) as FieldDefinitionEntity;

let reads: number;
beforeEach(() => (reads = 0));

const kind = new FieldsKind(
  {} as FieldsRepository,
  {} as FieldTypeRegistry,
  { listWithDrafts: () => Promise.resolve((reads++, ROUTERS)) } as unknown as RoutersRepository,
  { list: () => Promise.resolve(CAPACITIES) } as unknown as CapacitiesRepository,
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
