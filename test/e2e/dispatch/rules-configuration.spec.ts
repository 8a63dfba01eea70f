import { changes, exported, refusals } from '../../support/configuration-file.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

let service: TestService;
let account: RoutingAccount;

const OPERATORS =
  'eq, neq, in, not_in, contains, not_contains, starts_with, ends_with, gt, gte, lt, lte, between, is_empty, is_not_empty';
const KNOWN = 'id, name, trigger, refuse, users, teams, distribution_model, rotation_type, steps';

const RULES = [
  {
    name: 'Paris',
    trigger: condition('city', 'eq', 'Paris'),
    users: [
      { email: mail('ada'), percentage: 60 },
      { email: mail('bob'), percentage: 15.5 },
    ],
    teams: [{ name: 'Reds', percentage: 24.5 }],
    distribution_model: 'percentage',
    rotation_type: 'teams',
  },
  { name: 'Scored', trigger: condition('score', 'between', [10, 20]), distribution_model: 'load balanced' },
  { name: 'All others' },
];

const FILE = {
  users: people(['ada', 'bob', 'eve']),
  teams: [{ name: 'Reds', members: [mail('eve')] }],
  fields: [{ object_type: 'contacts', internal_name: 'score', type: 'number' }],
  routers: [
    router('R', { rules: RULES }, { users: people(['eve']) }),
    router('Plain', {}, { users: people(['eve']) }),
  ],
};

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, FILE);
});
afterAll(() => service.stop());

/** Returns the errors of these rules, by path. */
async function problems(rules: unknown, settings: object = {}, pool: object = {}): Promise<string[]> {
  const lines = await refusals(account, { routers: [router('R', { rules, ...settings }, pool)] });
  return lines.map((line) => line.replace(/^routers\[0\]\./, ''));
}

describe('A configuration file with rules that cannot be', () => {
  const first = 'settings.rules[0]';
  const name = `${first}.name: name must be a string of 1 to 200 characters`;

  it.each([
    ['no list', { name: 'A' }, ['settings.rules: settings.rules must be a list']],
    ['null', null, ['settings.rules: settings.rules must be a list']],
    ['a rule that is no object', ['A'], [`${first}: ${first} must be an object`]],
    ['no name', [{}], [name]],
    ['an empty name', [{ name: ' ' }], [name]],
    ['a name that is too long', [{ name: 'x'.repeat(201) }], [name]],
    ['one name twice', [{ name: 'A' }, { name: ' a' }], ['settings.rules[1].name: Listed twice: a']],
    ['an unknown key', [{ name: 'A', when: 1 }], [`${first}.when: Unknown key: when (known: ${KNOWN})`]],
    [
      'a trigger that is no object',
      [{ name: 'A', trigger: [] }],
      [`${first}.trigger: ${first}.trigger must be an object`],
    ],
    [
      'an unknown field',
      [{ name: 'A', trigger: condition('nope', 'eq', 1) }],
      [`${first}.trigger.groups[0].conditions[0].field: Unknown field of contacts: nope`],
    ],
    [
      'an unknown operator',
      [{ name: 'A', trigger: condition('city', 'is', 'x') }],
      [`${first}.trigger.groups[0].conditions[0].operator: Unknown operator: is (known: ${OPERATORS})`],
    ],
    [
      'a user who is none',
      [{ name: 'A' }, { name: 'B', users: people(['ada', 'nobody']) }],
      ['settings.rules[1].users[1].email: nobody@acme.test is not a user of the account'],
    ],
    [
      'a team that is none',
      [{ name: 'A', teams: [{ name: 'Reds' }, { name: 'Greens' }] }],
      [`${first}.teams[1].name: Greens is not a team of the account`],
    ],
    [
      'a user twice',
      [{ name: 'A', users: people(['ada', 'ada']) }],
      [`${first}.users[1].email: Listed twice: ada@acme.test`],
    ],
    [
      'users that are no list',
      [{ name: 'A', users: 'ada' }],
      [`${first}.users: ${first}.users must be a list`],
    ],
    [
      'an unknown model',
      [{ name: 'A', distribution_model: 'fair' }],
      [
        `${first}.distribution_model: distribution_model must be one of: round robin, percentage, load balanced`,
      ],
    ],
    [
      'an unknown rotation type',
      [{ name: 'A', rotation_type: 'user' }],
      [`${first}.rotation_type: rotation_type must be one of: users, teams`],
    ],
    [
      'percentages that do not sum to 100',
      [{ name: 'A', distribution_model: 'percentage', users: people(['ada', 'bob'], { percentage: 45 }) }],
      [`${first}.users: percentages must sum to 100, not 90`],
    ],
    [
      'a model that the router’s pool does not suit',
      [{ name: 'A', distribution_model: 'percentage' }],
      [
        `${first}.distribution_model: The rule takes the router's pool, but users[0].percentage: ` +
          'percentage is required by the distribution model percentage',
      ],
    ],
  ])('is refused, with the place: %s [contract 4, contract 5]', async (_, rules, expected) => {
    expect(await problems(rules)).toEqual(expected);
  });

  it('lists every error of every rule and of the router [contract 4, contract 5]', async () => {
    const rules = [
      { name: 'A', trigger: condition('nope', 'eq', 1), rotation_type: 1 },
      { name: 'B' },
      { name: 'C', trigger: condition('score', 'gt', 'many'), distribution_model: 'fair' },
    ];
    const places = (await problems(rules, { overwrite: 'yes' })).map((line) => line.split(': ')[0]);
    expect(places.sort()).toEqual([
      'settings.overwrite',
      'settings.rules[0].rotation_type',
      'settings.rules[0].trigger.groups[0].conditions[0].field',
      'settings.rules[2].distribution_model',
      'settings.rules[2].trigger.groups[0].conditions[0].value',
    ]);
  });
});

describe('A router with rules', () => {
  it('is exported as it was written, and the export changes nothing [contract 5]', async () => {
    const { routers, ...rest } = await exported(account);
    const [ruled, plain] = routers;
    expect([ruled.name, plain.name]).toEqual(['R', 'Plain']);
    expect(ruled.settings.rules).toEqual(RULES);
    expect(plain.settings).not.toHaveProperty('rules');
    expect(await changes(account, { ...rest, routers } as object)).toEqual([]);
  });

  it('is the same in another account made from the export [contract 4, contract 5]', async () => {
    const { slug: _, name: __, ...file } = await exported(account);
    const copy = await RoutingAccount.open(service, file);
    const { slug: ___, name: ____, ...again } = await exported(copy);
    expect(again).toEqual(file);
    const city = async (name: string): Promise<string> =>
      copy.assign('R', await copy.contact({ city: name }));
    expect([await city('Paris'), await city('Oslo')]).toEqual(['ada', 'eve']);
  });

  it('is changed by a file with other rules only, and not by the same file again [contract 5]', async () => {
    const changing = await RoutingAccount.open(service, FILE);
    expect(await changes(changing, FILE)).toEqual([]);
    const fewer = { routers: [{ name: 'R', settings: { rules: RULES.slice(0, 2) } }] };
    const update = [{ action: 'update', kind: 'router', name: 'R', keys: ['settings', 'version'] }];
    expect(await changes(changing, fewer, true)).toEqual(update);
    expect((await exported(changing)).routers[0].settings.rules).toEqual(RULES);
    expect(await changes(changing, fewer)).toEqual(update);
    expect(await changes(changing, fewer)).toEqual([]);
    expect((await exported(changing)).routers[0].settings.rules).toEqual(RULES.slice(0, 2));
    // Settings that the file does not contain stay, also the rules. An empty list removes the rules.
    await changes(changing, { routers: [{ name: 'R', settings: { overwrite: true } }] });
    expect((await exported(changing)).routers[0].settings).toMatchObject({
      overwrite: true,
      rules: RULES.slice(0, 2),
    });
    await changes(changing, { routers: [{ name: 'R', settings: { rules: [] } }] });
    expect((await exported(changing)).routers[0].settings).not.toHaveProperty('rules');
  });

  it('shows them in GET /routers and GET /routers/{id}, and others have no such key [4.6, contract 4]', async () => {
    const { body: list } = await account.api.get('/routers');
    const shown = Object.fromEntries(list.data.map((each: any) => [each.name, each.settings]));
    expect(shown['R'].rules).toEqual(RULES);
    expect(shown['Plain']).not.toHaveProperty('rules');
    const { body } = await account.api.get(`/routers/${await account.routerId('R')}`);
    expect(body).toEqual(list.data.find((each: any) => each.name === 'R'));
  });

  it('keeps them when somebody they name has left, and routes to the others [contract 4]', async () => {
    const leaving = await RoutingAccount.open(service, {
      users: people(['ada', 'bob']),
      teams: [{ name: 'Reds', members: [mail('bob')] }],
      routers: [router('R', { rules: [{ name: 'All', users: people(['ada']), teams: [{ name: 'Reds' }] }] })],
    });
    expect(await leaving.turns('R', 2)).toBe('ada bob');
    await leaving.apply({ teams: [{ name: 'Reds', members: [] }] });
    expect(await leaving.turns('R', 2)).toBe('ada ada');
    const [{ settings }] = (await leaving.api.get('/routers')).body.data;
    expect(settings.rules).toEqual([{ name: 'All', users: people(['ada']), teams: [{ name: 'Reds' }] }]);
  });
});
