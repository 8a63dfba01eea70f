import { condition, TriggerTable, type ConditionCase } from '../../support/database/trigger-table.js';
import { TestService } from '../../support/test-service.js';

/** Contacts with an empty value, because they never had one or because the create cleared it. */
const NONE = ['never', 'cleared', 'blank'];

/** The contacts of a table: by label the value of one field, and those without one. */
const having = (field: string, values: Readonly<Record<string, unknown>>): Record<string, object> => ({
  ...Object.fromEntries(Object.entries(values).map(([label, value]) => [label, { [field]: value }])),
  never: {},
  cleared: { [field]: null },
  blank: { [field]: '' },
});

/** What a type's table is made of: a field, its values by label, and conditions on it. */
const TABLES: readonly { type: string; field: string; values: object; cases: readonly ConditionCase[] }[] = [
  {
    type: 'string',
    field: 'city',
    values: { Paris: 'Paris', PARIS: 'PARIS', SaoPaulo: 'São Paulo', newYork: 'new york', odd: 'Rate_100%' },
    cases: [
      ['eq', 'paris', ['Paris', 'PARIS']],
      ['eq', 'SÃO PAULO', ['SaoPaulo']],
      ['eq', 'Sa\u0303o Paulo', ['SaoPaulo']],
      ['eq', 'Pari', []],
      ['neq', 'pARIS', ['SaoPaulo', 'newYork', 'odd', ...NONE]],
      ['in', ['rome', 'NEW YORK', 'paris'], ['Paris', 'PARIS', 'newYork']],
      ['not_in', ['rome', 'NEW YORK', 'paris'], ['SaoPaulo', 'odd', ...NONE]],
      ['contains', 'AR', ['Paris', 'PARIS']],
      ['contains', 'ÃO p', ['SaoPaulo']],
      ['contains', '%', ['odd']],
      ['contains', '_1', ['odd']],
      ['contains', '.', []],
      ['not_contains', 'AR', ['SaoPaulo', 'newYork', 'odd', ...NONE]],
      ['starts_with', 'PA', ['Paris', 'PARIS']],
      ['starts_with', 'aris', []],
      ['ends_with', 'RIS', ['Paris', 'PARIS']],
      ['ends_with', 'pari', []],
      ['gt', 'Paris', ['SaoPaulo', 'odd']],
      ['gte', 'paris', ['Paris', 'PARIS', 'SaoPaulo', 'odd']],
      ['lt', 'PARIS', ['newYork']],
      ['lte', 'paris', ['Paris', 'PARIS', 'newYork']],
      ['between', ['N', 'paris'], ['Paris', 'PARIS', 'newYork']],
      ['is_empty', undefined, NONE],
      ['is_not_empty', undefined, ['Paris', 'PARIS', 'SaoPaulo', 'newYork', 'odd']],
    ],
  },
  {
    type: 'string',
    field: 'country',
    values: { US: 'US', spaced: ' us\u00a0', narrow: '\u202fUs', longer: 'US-CA' },
    cases: [
      ['eq', 'us', ['US', 'spaced', 'narrow']],
      ['eq', '\u00a0US ', ['US', 'spaced', 'narrow']],
      ['neq', ' us', ['longer', ...NONE]],
      ['in', ['de', 'us\u202f'], ['US', 'spaced', 'narrow']],
      ['starts_with', ' us', ['US', 'spaced', 'narrow', 'longer']],
      ['ends_with', 's\u00a0', ['US', 'spaced', 'narrow']],
      ['contains', '\u3000s-c\u3000', ['longer']],
      ['between', ['us', 'us'], ['US', 'spaced', 'narrow']],
    ],
  },
  {
    type: 'string',
    field: 'last_name',
    values: {
      angstrom: 'Ångström',
      mueller: 'Müller',
      nagy: 'Nagy',
      oeberg: 'Öberg',
      strasse: 'Straße',
      zola: 'Zola',
    },
    cases: [
      ['between', ['A', 'N'], ['angstrom', 'mueller']],
      ['gte', 'a', ['angstrom', 'mueller', 'nagy', 'oeberg', 'strasse', 'zola']],
      ['lt', 'n', ['angstrom', 'mueller']],
      ['gt', 'o', ['oeberg', 'strasse', 'zola']],
      ['eq', 'STRASSE', ['strasse']],
      ['eq', 'Muller', []],
    ],
  },
  {
    type: 'number',
    field: 'score',
    values: {
      one: '12.50',
      two: '9007199254740992',
      three: '9007199254740993',
      tiny: '0.1000000000000000000001',
    },
    cases: [
      ['eq', '12.5', ['one']],
      ['eq', '9007199254740993.0', ['three']],
      ['gt', '9007199254740992', ['three']],
      ['between', ['0.1', '0.2'], ['tiny']],
      ['lte', '0.1', []],
      ['in', ['+12.500', '9007199254740992'], ['one', 'two']],
    ],
  },
  {
    type: 'number',
    field: 'score',
    values: { minus: -1, half: 1.5, nine: 9, ten: 10, hundred: 100, huge: 1e21 },
    cases: [
      ['eq', 10, ['ten']],
      ['eq', '10', ['ten']],
      ['eq', 1.5, ['half']],
      ['neq', 10, ['minus', 'half', 'nine', 'hundred', 'huge', ...NONE]],
      ['in', [9, '100', -1], ['minus', 'nine', 'hundred']],
      ['not_in', [9, '100', -1], ['half', 'ten', 'huge', ...NONE]],
      ['gt', 9, ['ten', 'hundred', 'huge']],
      ['gte', 9, ['nine', 'ten', 'hundred', 'huge']],
      ['lt', 9, ['minus', 'half']],
      ['lte', 9, ['minus', 'half', 'nine']],
      ['lt', 0, ['minus']],
      ['between', [1.5, 10], ['half', 'nine', 'ten']],
      ['between', [10, 10], ['ten']],
      ['is_empty', undefined, NONE],
      ['is_not_empty', undefined, ['minus', 'half', 'nine', 'ten', 'hundred', 'huge']],
    ],
  },
  {
    type: 'datetime',
    field: 'signed_up',
    values: {
      february: '2026-02-28',
      morning: '2026-03-01T12:30:00+02:00',
      noon: '2026-03-01T12:00:00Z',
      evening: 'Sun, 01 Mar 2026 20:00:00 +0000',
      march2: 1_772_409_600,
    },
    cases: [
      ['eq', '2026-03-01T12:00:00.000Z', ['noon']],
      ['eq', '2026-03-01T13:00:00+01:00', ['noon']],
      ['eq', 'Sun, 01 Mar 2026 07:00:00 -0500', ['noon']],
      ['eq', 1_772_366_400, ['noon']],
      ['eq', 1_772_366_400_000, ['noon']],
      ['eq', '2026-03-02', ['march2']],
      ['neq', '2026-03-01T12:00', ['february', 'morning', 'evening', 'march2', ...NONE]],
      ['in', ['2026-02-28T00:00:00Z', '2026-03-01T10:30:00Z'], ['february', 'morning']],
      ['not_in', ['2026-02-28T00:00:00Z', '2026-03-01T10:30:00Z'], ['noon', 'evening', 'march2', ...NONE]],
      ['gt', '2026-03-01T12:45:00+02:00', ['noon', 'evening', 'march2']],
      ['gte', '2026-03-01T12:00:00Z', ['noon', 'evening', 'march2']],
      ['lt', '2026-03-01', ['february']],
      ['lte', '2026-03-01T12:00:00Z', ['february', 'morning', 'noon']],
      ['between', ['2026-03-01', '2026-03-02'], ['morning', 'noon', 'evening', 'march2']],
      ['is_empty', undefined, NONE],
      ['is_not_empty', undefined, ['february', 'morning', 'noon', 'evening', 'march2']],
    ],
  },
  {
    type: 'enumeration',
    field: 'region',
    values: { emea: 'emea', apac: 'Asia Pacific', na: 'NA' },
    cases: [
      ['eq', 'EMEA', ['emea']],
      ['eq', 'asia pacific', ['apac']],
      ['eq', 'na', ['na']],
      ['neq', 'emea', ['apac', 'na', ...NONE]],
      ['in', ['Europe and more', 'APAC'], ['emea', 'apac']],
      ['not_in', ['Europe and more', 'APAC'], ['na', ...NONE]],
      ['contains', 'A', ['emea', 'apac', 'na']],
      ['not_contains', 'MEA', ['apac', 'na', ...NONE]],
      ['starts_with', 'AP', ['apac']],
      ['ends_with', 'a', ['emea', 'na']],
      ['gt', 'apac', ['emea', 'na']],
      ['between', ['apac', 'emea'], ['emea', 'apac']],
      ['is_empty', undefined, NONE],
      ['is_not_empty', undefined, ['emea', 'apac', 'na']],
    ],
  },
  {
    type: 'bool',
    field: 'vip',
    values: { yes: true, no: 'false' },
    cases: [
      ['eq', true, ['yes']],
      ['eq', 'true', ['yes']],
      ['eq', false, ['no']],
      ['neq', true, ['no', ...NONE]],
      ['neq', false, ['yes', ...NONE]],
      ['in', [true, 'false'], ['yes', 'no']],
      ['not_in', [true], ['no', ...NONE]],
      ['is_empty', undefined, NONE],
      ['is_not_empty', undefined, ['yes', 'no']],
    ],
  },
  {
    type: 'user',
    field: 'manager',
    values: { ada: 'ada@acme.test', bob: 'BOB@acme.test', eve: 'eve@acme.test' },
    cases: [
      ['eq', 'ADA@Acme.Test', ['ada']],
      ['neq', 'ada@acme.test', ['bob', 'eve', ...NONE]],
      ['in', ['Bob@acme.test', 'eve@acme.test'], ['bob', 'eve']],
      ['not_in', ['bob@acme.test', 'eve@acme.test'], ['ada', ...NONE]],
      ['contains', 'B@', ['bob']],
      ['not_contains', 'b@', ['ada', 'eve', ...NONE]],
      ['starts_with', 'EVE', ['eve']],
      ['ends_with', '@ACME.test', ['ada', 'bob', 'eve']],
      ['gt', 'bob@acme.test', ['eve']],
      ['lte', 'bob@acme.test', ['ada', 'bob']],
      ['is_empty', undefined, NONE],
      ['is_not_empty', undefined, ['ada', 'bob', 'eve']],
    ],
  },
];

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

describe.each(TABLES)('A condition on a field of type $type', ({ field, values, cases }) => {
  let table: TriggerTable;
  const name = (operator: string, value: unknown): string => `${operator} ${JSON.stringify({ value })}`;

  beforeAll(async () => {
    const triggers = cases.map(
      ([operator, value]) => [name(operator, value), condition(field, operator, value)] as const,
    );
    table = await TriggerTable.open(service, having(field, { ...values }), new Map(triggers));
  });

  it.each(cases)('%s %j holds for %j [4.6, contract 4]', async (operator, value, holdsFor) => {
    expect(await table.matched(name(operator, value))).toEqual(holdsFor);
  });
});
