import type { RoutingRule, RoutingStep } from '../model/router-configuration.js';
import { rotationKeyOfRule, rotationOfStep } from '../model/rotation.js';
import { keepRotations, keepStepRotations } from './keep-rotations.js';

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

describe('the rotation of a step', () => {
  const step = (values: Partial<RoutingStep> = {}): RoutingStep => ({ users: [], teams: [], ...values });
  const [A, B] = [step({ name: 'A' }), step({ name: 'B' })];
  const of = (steps: readonly RoutingStep[]) => steps.map((each, index) => rotationOfStep(each, index + 1));
  const after = (...configured: RoutingStep[][]) => {
    let before: readonly RoutingStep[] = [];
    return configured.map((steps) => of((before = keepStepRotations(steps, before))));
  };

  it('is that of its id, else its name, else its place [contract 8.1]', () => {
    expect(after([step({ id: '1', name: 'A' }), A, step()])).toEqual([['step#1', 'step:A', 'step/3']]);
    expect(keepStepRotations([A, step()], [])).toEqual([A, step()]);
  });

  it('goes with the id or the name wherever the step stands [contract 8.1]', () => {
    expect(after([A, B], [B, A], [step(), { ...B, id: '2' }, A], [step({ id: '2', name: 'C' })])).toEqual([
      ['step:A', 'step:B'],
      ['step:B', 'step:A'],
      ['step/1', 'step:B', 'step:A'],
      ['step:B'],
    ]);
  });

  it('stays in its place where the step has no name, and when it gets one there [contract 8.1]', () => {
    expect(after([step(), step()], [step(), A], [A, step()])).toEqual([
      ['step/1', 'step/2'],
      ['step/1', 'step/2'],
      ['step/2', 'step/2\t2'],
    ]);
  });

  it('is kept with its rule [contract 8.1]', () => {
    const rules = (name: string, steps: RoutingStep[]) => [{ ...rule(name, '1'), steps }];
    const before = keepRotations(rules('A', [A]), []);
    const [kept] = keepRotations(rules('B', [step({ id: '7', name: 'A' })]), before);
    expect(of(kept?.steps ?? [])).toEqual(['step:A']);
    expect(keepRotations([rule('A')], before)[0]).not.toHaveProperty('steps');
  });

  it('stays with a rule that took the steps of its router and lists them itself now [contract 8.1]', () => {
    const router = keepStepRotations([step({ id: '7', name: 'A' })], [A]);
    const listed = [{ ...rule('All'), steps: [step({ id: '7', name: 'A' })] }];
    const [kept] = keepRotations(listed, [rule('All')], router);
    expect(of(kept?.steps ?? [])).toEqual(['step:A']);
    const [fresh] = keepRotations(listed, [], router);
    expect(of(fresh?.steps ?? [])).toEqual(['step#7']);
  });
});
