import { changes, exported, refusals } from '../../support/configuration-file.js';
import { mail, people, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

const OPEN = {
  name: 'Open',
  object_type: 'contacts',
  field: 'region',
  values: ['emea', 'apac'],
  users: [{ email: mail('ada'), max: 3 }],
  teams: [{ name: 'Reds', max: 5 }],
};
const SCORED = { ...OPEN, name: 'Scored', field: 'score', values: ['10', '20'], users: [], teams: [] };
const FILE = {
  users: people(['ada', 'bob']),
  teams: [{ name: 'Reds', members: [mail('ada'), mail('bob')] }],
  fields: [
    { object_type: 'contacts', internal_name: 'score', type: 'number' },
    {
      object_type: 'contacts',
      internal_name: 'region',
      type: 'enumeration',
      options: [{ internal_name: 'emea', label: 'Europe' }, { internal_name: 'apac' }],
    },
  ],
  capacities: [OPEN, { ...SCORED, values: [10, '20'] }],
};

let service: TestService;
let account: RoutingAccount;

beforeAll(async () => {
  service = await TestService.shared();
});
beforeEach(async () => {
  account = await RoutingAccount.open(service, FILE);
});
afterAll(() => service.stop());

describe('capacities in a configuration file', () => {
  it('are exported as records store the values, by name [contract 5]', async () => {
    expect((await exported(account)).capacities).toEqual([OPEN, SCORED]);
  });

  it('change nothing when they are applied again, nor does their export [contract 5]', async () => {
    expect(await changes(account, FILE)).toEqual([]);
    expect(await changes(account, await exported(account))).toEqual([]);
    // Values by label and in upper or lower case, also addresses.
    const same = {
      ...OPEN,
      values: ['Europe', 'APAC'],
      users: [{ email: mail('ADA').toUpperCase(), max: 3 }],
    };
    expect(await changes(account, { capacities: [same] })).toEqual([]);
  });

  it('are created and changed by name, telling what differs; a dry run changes nothing [contract 5]', async () => {
    const file = {
      capacities: [
        { ...OPEN, values: ['emea'], users: [] },
        { ...OPEN, name: 'More' },
      ],
    };
    const plan = [
      { action: 'update', kind: 'capacity', name: 'Open', keys: ['values', 'users'] },
      { action: 'create', kind: 'capacity', name: 'More' },
    ];
    expect(await changes(account, file, true)).toEqual(plan);
    expect((await exported(account)).capacities).toEqual([OPEN, SCORED]);
    expect(await changes(account, file)).toEqual(plan);
    expect(await changes(account, file)).toEqual([]);
    expect((await exported(account)).capacities).toEqual([
      { ...OPEN, name: 'More' },
      { ...OPEN, values: ['emea'], users: [] },
      SCORED,
    ]);
  });

  it('that leave users and teams out leave them as they are [contract 5]', async () => {
    const { users: _, teams: __, ...rest } = OPEN;
    expect(await changes(account, { capacities: [{ ...rest, values: ['apac'] }] })).toEqual([
      { action: 'update', kind: 'capacity', name: 'Open', keys: ['values'] },
    ]);
    expect((await exported(account)).capacities[0]).toEqual({ ...OPEN, values: ['apac'] });
  });

  const first = 'capacities[0]';
  it.each([
    ['an unknown field', { field: 'nope' }, [`${first}.field: Unknown field of contacts: nope`]],
    ['a field of another type', { object_type: 'deals' }, [`${first}.field: Unknown field of deals: region`]],
    [
      'a user who is none',
      {
        users: [
          { email: mail('ada'), max: 1 },
          { email: mail('nobody'), max: 1 },
        ],
      },
      [`${first}.users[1].email: nobody@acme.test is not a user of the account`],
    ],
    [
      'a team that is none',
      { teams: [{ name: 'Greens', max: 1 }] },
      [`${first}.teams[0].name: Greens is not a team of the account`],
    ],
    [
      'several at once',
      { values: [''], users: [{ email: mail('nobody'), max: 1 }], teams: [{ name: 'Greens', max: 1 }] },
      [
        `${first}.values[0]: region must be one of: emea, apac`,
        `${first}.users[0].email: nobody@acme.test is not a user of the account`,
        `${first}.teams[0].name: Greens is not a team of the account`,
      ],
    ],
  ])('are refused as a whole, with the path: %s [contract 5]', async (_, more, expected) => {
    expect(await refusals(account, { capacities: [{ ...OPEN, ...more }] })).toEqual(expected);
  });

  it.each([
    ['no name', { name: undefined }, ['name']],
    ['an object type that is none', { object_type: 'contact' }, ['object_type']],
    ['no values', { values: [] }, ['values']],
    ['values that are no list', { values: 'emea' }, ['values']],
    ['a value that is no option', { values: ['emea', 'mars'] }, ['values[1]']],
    ['a negative maximum', { users: [{ email: mail('ada'), max: -1 }] }, ['users[0].max']],
    ['a maximum that is no whole number', { teams: [{ name: 'Reds', max: 1.5 }] }, ['teams[0].max']],
    ['no maximum', { users: [{ email: mail('ada') }] }, ['users[0].max']],
    ['an unknown key', { min: 1 }, ['min']],
    ['one user twice', { users: [...OPEN.users, { email: mail('ADA'), max: 1 }] }, ['users']],
    ['one team twice', { teams: [...OPEN.teams, { name: 'Reds', max: 1 }] }, ['teams']],
    ['users that are nobody', { users: [null, 'ada'] }, ['users[0]', 'users[1]']],
    ['a user without an address', { users: [{ max: 1 }] }, ['users[0].email']],
  ])('are refused where they are out of shape: %s [contract 5]', async (_, more, expected) => {
    const lines = await refusals(account, { capacities: [{ ...OPEN, ...more }] });
    expect(lines.map((line) => line.split(': ')[0])).toEqual(expected.map((key) => `${first}.${key}`));
  });

  it('named twice are refused, in any place of the list [contract 5]', async () => {
    const lines = await refusals(account, { capacities: [OPEN, SCORED, OPEN] });
    expect(lines.map((line) => line.split(': ')[0])).toEqual(['capacities']);
  });
});
