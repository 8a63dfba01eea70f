import type { RoutingRule } from '../model/router-configuration.js';
import { rotationKeyOfRule } from '../model/rotation.js';
import { keepRotations } from './keep-rotations.js';

const rule = (name: string, id?: string, rotationKey?: string): RoutingRule => ({
  ...(id === undefined ? {} : { id }),
  name,
  ...(rotationKey === undefined ? {} : { rotationKey }),
  trigger: { groups: [] },
  users: [],
  teams: [],
  distributionModel: null,
  rotationType: null,
});
const keys = (rules: readonly RoutingRule[]) => rules.map(rotationKeyOfRule);
/** The keys after each of the configurations, one after the other. */
const history = (...configured: RoutingRule[][]) => {
  let before: readonly RoutingRule[] = [];
  return configured.map((rules) => keys((before = keepRotations(rules, before))));
};

describe('the rotation of a rule [contract 4]', () => {
  it('has the name of the rule where there is no id: another name is another rule', () => {
    expect(history([rule('A')], [rule('B')])).toEqual([['rule:A'], ['rule:B']]);
    expect(keepRotations([rule('A')], [])[0]).not.toHaveProperty('rotationKey');
  });

  it('is kept by the id when the rule is renamed', () => {
    expect(history([rule('A', '1')], [rule('B', '1')])).toEqual([['rule#1'], ['rule#1']]);
  });

  it('is kept when the rule gets an id, also before a turn is taken, and when it loses it', () => {
    const got = history([rule('A')], [rule('A', '1')], [rule('B', '1')], [rule('B')]);
    expect(got).toEqual(Array(4).fill(['rule:A']));
  });

  it('is not that of a new rule with the old name', () => {
    const got = history(
      [rule('A')],
      [rule('A', '1')],
      [rule('B', '1'), rule('A')],
      [rule('A'), rule('B', '1')],
    );
    expect(got.slice(2)).toEqual([
      ['rule:A', 'rule:A\t2'],
      ['rule:A\t2', 'rule:A'],
    ]);
  });

  it('belongs to the rule with the id where another one takes its name', () => {
    const got = history([rule('A', '1'), rule('B', '2')], [rule('B', '1'), rule('A', '2')]);
    expect(got).toEqual([['rule#1', 'rule#2'], ['rule#1', 'rule#2']]); // prettier-ignore
  });

  it('is a new one with another id', () => {
    expect(history([rule('A', '1')], [rule('A', '2')])).toEqual([['rule#1'], ['rule#2']]);
  });
});
