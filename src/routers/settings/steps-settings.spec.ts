import { BUILTINS, fields, settings } from '../../../test/units/engine-fixtures.js';
import { parseSettings, restoreSettings, renderSettings, renderStored } from './settings.js';

const parse = (raw: object) => parseSettings(raw, 'contacts', { fields, ...BUILTINS });
const problems = (raw: object): string[] => {
  const result = parse(raw);
  return result.ok ? [] : result.errors.map(({ field, message }) => `${field}: ${message}`);
};
const paths = (steps: unknown) => problems({ steps }).map((problem) => problem.split(':')[0]);

const steps = [
  {
    id: '1',
    name: 'Second line',
    users: [{ email: 'ada@acme.test', percentage: 100 }],
    distribution_model: 'percentage',
  },
  { teams: [{ name: 'Sales' }], rotation_type: 'teams' },
  {},
];

describe('steps in settings', () => {
  it('are read in a router and in a rule, rendered as they were, and read again [contract 8.1]', () => {
    const raw = {
      steps,
      rules: [{ name: 'A', steps: steps.slice(1) }, { name: 'B', steps: [] }, { name: 'C' }],
    };
    const result = parse(raw);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    expect(result.settings.steps[1]).toEqual({
      users: [],
      teams: [{ name: 'Sales' }],
      rotationType: 'teams',
    });
    expect(renderSettings(result.settings)).toMatchObject(raw);
    expect(renderSettings(result.settings).rules).toEqual(raw.rules);
    expect(restoreSettings(renderStored(result.settings), 'contacts')).toEqual(result.settings);
  });

  it('leave no key where there are none [contract 8.1]', () => {
    expect(parse({ steps: [] })).toEqual({ ok: true, settings: settings() });
    expect(renderSettings(settings())).not.toHaveProperty('steps');
  });

  it.each([
    [{}, ['settings.steps']],
    [['x'], ['settings.steps[0]']],
    [[{ name: ' ' }], ['settings.steps[0].name']],
    [[{ id: 7 }], ['settings.steps[0].id']],
    [[{ name: 'A' }, {}, { name: 'a ' }, {}], ['settings.steps[2].name']],
    [[{ id: '1' }, { id: '1' }], ['settings.steps[1].id']],
    [[{ trigger: { groups: [] } }], ['settings.steps[0].trigger']],
    [[{ steps: [] }], ['settings.steps[0].steps']],
    [[{ rotation_key: 'x' }], ['settings.steps[0].rotation_key']],
    [[{ distribution_model: 'fair' }], ['settings.steps[0].distribution_model']],
    [[{ rotation_type: 'user' }], ['settings.steps[0].rotation_type']],
    [[{ users: [{ email: 'ada' }], teams: [{ name: '' }] }], ['settings.steps[0].users[0].email', 'settings.steps[0].teams[0].name']],
    [[{ users: [], teams: [] }], ['settings.steps[0].users']],
    [Array(21).fill({}), ['settings.steps']],
  ])('refuse %j [contract 8.1]', (wrong, expected) => {
    expect(paths(wrong)).toEqual(expected);
  }); // prettier-ignore

  it('say what is wrong [contract 8.1]', () => {
    expect(problems({ steps: [{ users: [] }, { after_minutes: 5 }] })).toEqual([
      'settings.steps[0].users: The step lists nobody: leave out users and teams for the pool that it follows',
      expect.stringMatching(/^settings\.steps\[1\]\.after_minutes: Unknown key: after_minutes/),
    ]);
    expect(problems({ rules: [{ name: 'A', refuse: true, steps }] })).toEqual([
      'settings.rules[0].steps: A rule with refuse assigns nobody, so it takes no steps',
    ]);
    expect(problems({ steps: Array(21).fill({}) })).toEqual(['settings.steps: steps must be at most 20']);
  });
});
