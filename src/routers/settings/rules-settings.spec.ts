import { BUILTIN_MODELS } from '../../engine/models/models.js';
import type { RoutingRule } from '../../engine/model/router-configuration.js';
import { BUILTINS, fields, router, settings } from '../../../test/units/engine-fixtures.js';
import { parseSettings, restoreSettings, renderSettings, renderStored } from './settings.js';
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
    ...['50', -1, 101, 33.33333, NaN, Infinity].map((percentage): [unknown[], string[]] => [
      [{ name: 'A', users: [{ email: 'a@b', percentage }] }],
      ['settings.rules[0].users[0].percentage'],
    ]),
    [[{ name: 'A', teams: [{ name: '' }] }], ['settings.rules[0].teams[0].name']],
    [[{ name: 'A', teams: [{ name: 'B', members: [] }] }], ['settings.rules[0].teams[0].members']],
    [[{ name: 'A', distribution_model: 5 }], ['settings.rules[0].distribution_model']],
    [[{ name: 'A', distribution_model: 'fair' }], ['settings.rules[0].distribution_model']],
    [[{ name: 'A', rotation_type: 'user' }], ['settings.rules[0].rotation_type']],
    [[{ name: 'A', id: '' }], ['settings.rules[0].id']],
    [[{ name: 'A', id: 7 }], ['settings.rules[0].id']],
    [[{ name: 'A', id: 'two\tcolumns' }], ['settings.rules[0].id']],
    [
      [
        { name: 'A', id: '1' },
        { name: 'B', id: ' 1 ' },
      ],
      ['settings.rules[1].id'],
    ],
    [[{ name: 'A', rotation: 'rule:B' }], ['settings.rules[0].rotation']],
    [[{ name: 'A', refuse: 'yes' }], ['settings.rules[0].refuse']],
    [[{ name: 'A', users: [], teams: [] }], ['settings.rules[0].users']],
    [[{ name: 'A', users: [] }], ['settings.rules[0].users']],
    [[{ name: 'A', teams: [] }], ['settings.rules[0].teams']],
    [[{ name: 'A', refuse: true, users: [] }], ['settings.rules[0].users']],
    [
      [{ name: 'A', refuse: true, teams: [{ name: 'B' }], distribution_model: 'percentage' }],
      ['settings.rules[0].teams', 'settings.rules[0].distribution_model'],
    ],
  ])('refuse %j', (rules, expected) => {
    expect(paths(rules)).toEqual(expected);
  });

  it('say what is wrong with one that lists nobody, or refuses and lists somebody [contract 4]', () => {
    const result = parse([
      { name: 'A', users: [], teams: [] },
      { name: 'B', refuse: true, rotation_type: 'users' },
    ]);
    expect(result).toMatchObject({
      errors: [
        { message: expect.stringContaining('The rule lists nobody') },
        { message: 'A rule with refuse assigns nobody, so it takes no rotation_type' },
      ],
    });
  });

  it('may have an id, or refuse [contract 4]', () => {
    const rules = [
      { id: 'r-1', name: 'A' },
      { name: 'B', refuse: true },
      { name: 'C', users: [], teams: [{ name: 'Sales' }] },
    ];
    const result = parse(rules);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    expect(result.settings.rules).toMatchObject([{ id: 'r-1' }, { refuse: true }, { users: [] }]);
    expect(renderSettings(result.settings).rules).toEqual([
      ...rules.slice(0, 2),
      { name: 'C', teams: [{ name: 'Sales' }] },
    ]);
    expect(parse([{ name: 'A', refuse: false }])).toMatchObject({ ok: true });
  });

  it('are stored with the rotations that they keep, and with what was stored before [contract 4]', () => {
    const stored = [
      { id: 'r-1', name: 'A', rotation_key: 'rule:Old' },
      { name: 'B', users: [], teams: [] },
    ];
    const restored = restoreSettings({ rules: stored }, 'contacts');
    expect(restored.rules).toMatchObject([{ rotationKey: 'rule:Old' }, { listsNobody: true }]);
    expect(renderStored(restored).rules).toEqual(stored);
    expect(renderSettings(restored).rules).toEqual([{ id: 'r-1', name: 'A' }, stored[1]]);
    expect(renderStored(settings())).toEqual(renderSettings(settings()));
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
    expect(issues([rule({}), uneven, twice])).toEqual([
      'settings.rules[1].users',
      'settings.rules[2].users[1].email',
      'settings.rules[2].teams[1].name',
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

  it('must suit the models of the router’s steps that take them [contract 8.1]', () => {
    const steps = [{ users: [], teams: [], distributionModel: 'percentage' }];
    const own = { users: [share('c@d')] };
    const taken = (values: Partial<RoutingRule>, distributionModel = 'round robin') =>
      validateRouter(
        router({
          settings: settings({ distributionModel, steps, rules: [rule(values)] }),
          users: [share('a@b', 100)],
        }),
        BUILTIN_MODELS,
      );
    expect(taken(own)).toEqual([
      {
        field: 'settings.rules[0].steps',
        message: expect.stringMatching(
          /^The rule leaves out steps, so settings\.steps\[0\] takes its pool, but /,
        ),
      },
    ]);
    expect(taken({ ...own, distributionModel: 'round robin' }, 'percentage')).toHaveLength(1);
    for (const values of [{}, { ...own, steps: [] }, { users: split }]) expect(taken(values)).toEqual([]);
  });
});
