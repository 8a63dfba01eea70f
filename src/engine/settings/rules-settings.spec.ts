import { BUILTIN_MODELS } from '../distribution/builtin-models.js';
import type { RoutingRule } from '../model/router-configuration.js';
import { resolveRulePools } from '../rules/resolve-rule-pools.js';
import { BUILTINS, fields, router, settings } from '../testing/fixtures.js';
import { parseSettings } from './parse-settings.js';
import { renderSettings } from './render-settings.js';
import { restoreSettings } from './restore-settings.js';
import { validateRouter } from './validate-router.js';

const parse = (rules: unknown) => parseSettings({ rules }, 'contacts', { fields, ...BUILTINS });
const paths = (rules: unknown) => {
  const result = parse(rules);
  return result.ok ? [] : result.errors.map(({ field }) => field);
};
const condition = (values: object) => ({ groups: [{ conditions: [values] }] });
const isEmea = condition({ field: 'region', operator: 'eq', value: 'emea' });

const full = [
  {
    name: 'EMEA',
    trigger: isEmea,
    users: [{ email: 'ada@acme.test', percentage: 60 }],
    teams: [{ name: 'Sales', percentage: 40 }],
    distribution_model: 'percentage',
    rotation_type: 'teams',
  },
  { name: 'All others' },
];

describe('rules in settings', () => {
  it('are read, rendered as they were, and read again', () => {
    const result = parse(full);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    expect(result.settings.rules[1]).toEqual({
      name: 'All others',
      trigger: { groups: [] },
      users: [],
      teams: [],
      distributionModel: null,
      rotationType: null,
    });
    expect(renderSettings(result.settings).rules).toEqual(full);
    expect(restoreSettings({ rules: full }, 'contacts')).toEqual(result.settings);
  });

  it('leave no key where there are none', () => {
    expect(parse([])).toEqual({ ok: true, settings: settings() });
    expect(renderSettings(settings())).not.toHaveProperty('rules');
  });

  it('keep names trimmed and addresses in lower case', () => {
    const users = [{ email: ' Ada@Acme.test ' }];
    expect(parse([{ name: ' EMEA ', users, teams: [{ name: ' Sales ' }] }])).toMatchObject({
      settings: {
        rules: [{ name: 'EMEA', users: [{ email: 'ada@acme.test' }], teams: [{ name: 'Sales' }] }],
      },
    });
  });

  it.each([
    [null, ['settings.rules']],
    [{}, ['settings.rules']],
    [['x'], ['settings.rules[0]']],
    [[{}], ['settings.rules[0].name']],
    [[{ name: 7 }], ['settings.rules[0].name']],
    [[{ name: '  ' }], ['settings.rules[0].name']],
    [[{ name: 'x'.repeat(201) }], ['settings.rules[0].name']],
    [[{ name: 'two\nlines' }], ['settings.rules[0].name']],
    [[{ name: 'half \ud800' }], ['settings.rules[0].name']],
    [[{ name: 'A' }, { name: 'B' }, { name: 'a ' }], ['settings.rules[2].name']],
    [[{ name: 'A', when: 1 }], ['settings.rules[0].when']],
    [[{ name: 'A', trigger: [] }], ['settings.rules[0].trigger']],
    [[{ name: 'A', users: {} }], ['settings.rules[0].users']],
    [[{ name: 'A', users: ['ada@acme.test'] }], ['settings.rules[0].users[0]']],
    [[{ name: 'A', users: [{ email: 'ada' }] }], ['settings.rules[0].users[0].email']],
    [[{ name: 'A', users: [{ email: 'a@b', percentage: '50' }] }], ['settings.rules[0].users[0].percentage']],
    [[{ name: 'A', teams: [{ name: '' }] }], ['settings.rules[0].teams[0].name']],
    [[{ name: 'A', teams: [{ name: 'B', members: [] }] }], ['settings.rules[0].teams[0].members']],
    [[{ name: 'A', distribution_model: 5 }], ['settings.rules[0].distribution_model']],
    [[{ name: 'A', distribution_model: 'fair' }], ['settings.rules[0].distribution_model']],
    [[{ name: 'A', rotation_type: 'user' }], ['settings.rules[0].rotation_type']],
  ])('refuse %j', (rules, expected) => {
    expect(paths(rules)).toEqual(expected);
  });

  it('report every error of every rule with its full place', () => {
    const rules = [
      { name: 'A' },
      { name: 'B', trigger: condition({ field: 'nope', operator: 'eq', value: 1 }) },
      { name: 'C', trigger: condition({ field: 'region', operator: 'is' }), rotation_type: 1 },
    ];
    expect(paths(rules)).toEqual([
      'settings.rules[1].trigger.groups[0].conditions[0].field',
      'settings.rules[2].trigger.groups[0].conditions[0].operator',
      'settings.rules[2].rotation_type',
    ]);
  });
});

const rule = (values: Partial<RoutingRule>): RoutingRule => ({
  name: 'A',
  trigger: { groups: [] },
  users: [],
  teams: [],
  distributionModel: null,
  rotationType: null,
  ...values,
});
const share = (email: string, percentage?: number) =>
  percentage === undefined ? { email } : { email, percentage };
const issues = (rules: RoutingRule[], distributionModel = 'round robin') =>
  validateRouter(
    router({ settings: settings({ distributionModel, rules }), users: [{ email: 'ada@acme.test' }] }),
    BUILTIN_MODELS,
  ).map(({ field }) => field);

describe('the pools of rules', () => {
  const split = [share('a@b', 60), share('c@d', 40)];

  it('are checked like those of routers', () => {
    const uneven = rule({ distributionModel: 'percentage', users: [share('a@b', 60), share('c@d', 30)] });
    const twice = rule({ users: [share('a@b'), share('A@b')], teams: [{ name: 'X' }, { name: 'x' }] });
    expect(issues([rule({ distributionModel: 'percentage', users: split }), rule({})])).toEqual([]);
    expect(issues([rule({}), uneven, twice, rule({ users: [share('a@b', 101)] })])).toEqual([
      'settings.rules[1].users',
      'settings.rules[2].users[1].email',
      'settings.rules[2].teams[1].name',
      'settings.rules[3].users[0].percentage',
    ]);
    expect(issues([rule({ users: [share('a@b')] })], 'percentage')).toEqual([
      'users[0].percentage',
      'settings.rules[0].users[0].percentage',
    ]);
  });

  it('must suit the model of the rule when they are the router’s', () => {
    expect(issues([rule({ distributionModel: 'percentage' })])).toEqual([
      'settings.rules[0].distribution_model',
    ]);
    // The error of the router's own pool is reported once.
    expect(issues([rule({})], 'percentage')).toEqual(['users[0].percentage']);
  });

  it('are resolved by name, with an issue for whoever is unknown', () => {
    const people = {
      findUser: (email: string) => (email === 'ada@acme.test' ? { id: '1', email } : undefined),
      findTeam: (name: string) =>
        name === 'Sales' ? { id: '2', name, members: ['bob@acme.test'] } : undefined,
    };
    const rules = [
      rule({ name: 'A' }),
      rule({
        name: 'B',
        users: [share('gone@acme.test'), share('ada@acme.test', 5)],
        teams: [{ name: 'Sales', percentage: 7 }, { name: 'Gone' }],
      }),
    ];
    expect(resolveRulePools(rules, people)).toEqual({
      pools: [
        { name: 'A', pool: null },
        {
          name: 'B',
          pool: {
            users: [{ id: '1', email: 'ada@acme.test', percentage: 5 }],
            teams: [{ id: '2', name: 'Sales', members: ['bob@acme.test'], percentage: 7 }],
          },
        },
      ],
      issues: [
        { field: 'settings.rules[1].users[0].email', message: 'gone@acme.test is not a user of the account' },
        { field: 'settings.rules[1].teams[1].name', message: 'Gone is not a team of the account' },
      ],
    });
  });
});
