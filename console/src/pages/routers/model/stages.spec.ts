import fc from 'fast-check';
import { compilePlan } from '../../../../../src/engine/decision/plan';
import { BUILTIN_MODELS } from '../../../../../src/engine/models/models';
import type { RouterSettings } from '../../../../../src/engine/model/router-configuration';
import type { Content, Rule } from './content';
import { stagesOf } from './stages';

const ALL = { groups: [] };
const people = fc.uniqueArray(fc.constantFrom('a@x.test', 'b@x.test', 'c@x.test', 'd@x.test'), {
  maxLength: 2,
});
const users = people.map((emails) => emails.map((email) => ({ email })));
const teams = fc.array(fc.constant({ name: 'Sales' }), { maxLength: 1 });
const models = fc.constantFrom('round robin', 'percentage', 'load balanced');
const rotations = fc.constantFrom('users' as const, 'teams' as const);
// Lists that are there and empty are those of a stored part that lists nobody.
const pool = { users, teams, distribution_model: models, rotation_type: rotations };
const steps = fc.array(fc.record(pool, { requiredKeys: [] }), { maxLength: 3 });
const parts = fc.record({ ...pool, steps, refuse: fc.constant(true as const) }, { requiredKeys: [] });
const contents = fc.record({ ...pool, steps, rules: fc.array(parts, { maxLength: 2 }) });

const named = (rules: readonly Partial<Rule>[]): Rule[] =>
  rules.map(({ refuse, ...rule }, n) => ({
    name: `Rule ${n}`,
    ...(refuse === true ? { refuse } : rule),
  }));

/** A part as the service has it in code. */
function part({ users, teams, distribution_model, rotation_type, steps }: Partial<Rule>): object {
  const pool = { users: users ?? [], teams: teams ?? [] };
  const listsNobody = (users ?? teams) !== undefined && pool.users.length + pool.teams.length === 0;
  return {
    ...pool,
    ...(listsNobody && { listsNobody: true as const }),
    ...(distribution_model !== undefined && { distributionModel: distribution_model }),
    ...(rotation_type !== undefined && { rotationType: rotation_type }),
    ...(steps !== undefined && { steps: steps.map(part) }),
  };
}

/** What the engine tries, without what pages do not show. */
function compiled({
  rules = [],
  steps = [],
  distribution_model = '',
  rotation_type = 'users',
  ...rest
}: Content) {
  const settings = {
    distributionModel: distribution_model,
    rotationType: rotation_type,
    steps: steps.map(part),
    rules: rules.map(({ refuse, name, ...rule }) => ({
      name,
      trigger: ALL,
      ...(refuse === true && { refuse }),
      ...part(rule),
    })),
    trigger: ALL,
  } as unknown as RouterSettings;
  const { users, teams } = rest;
  const config = { id: 'r', objectType: 'contacts' as const, published: true, settings, users };
  const plan = compilePlan({ ...config, teams: teams.map((team) => ({ ...team, members: [] })) }, settings, {
    models: BUILTIN_MODELS,
    operators: [],
    fields: () => undefined,
  });
  return [plan, ...plan.rules].map(({ stages }) =>
    stages.map(({ place, model, pool }) => ({
      place,
      model: model.id,
      rotation: pool.rotationType,
      users: pool.emails,
    })),
  );
}

it('pools, steps and models of a router and its rules are those that the engine takes', () => {
  fc.assert(
    fc.property(contents, (drawn) => {
      const content = { trigger: ALL, ...drawn, rules: named(drawn.rules) } as unknown as Content;
      const shown = [undefined, ...(content.rules ?? [])].map((rule) =>
        stagesOf(content, rule).map(({ place, model, rotation, users }) => ({
          place,
          model,
          rotation,
          users: users.map(({ email }) => email),
        })),
      );
      expect(shown).toEqual(compiled(content));
    }),
    { numRuns: 1_000 },
  );
});

it('tells what a part has itself from what it takes', () => {
  const step = { users: [{ email: 'c@x.test' }] };
  const content = {
    users: [{ email: 'a@x.test' }],
    teams: [],
    steps: [step],
    rules: [{ name: 'Bare' }, { name: 'Own', users: [{ email: 'b@x.test' }], steps: [step, {}] }],
  } as unknown as Content;
  const sources = (rule?: Rule) => stagesOf(content, rule).map(({ from }) => from);
  expect(sources()).toEqual([undefined, undefined]);
  expect(sources(content.rules?.[0])).toEqual(['router', 'router']);
  expect(sources(content.rules?.[1])).toEqual([undefined, undefined, 'rule']);
});
