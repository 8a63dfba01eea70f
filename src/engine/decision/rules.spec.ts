import {
  decodeRotationState,
  encodeRotationState,
  type EncodedRotationState,
} from '../ledger/rotation-codec.js';
import type { RouterConfiguration, RouterSettings, RoutingRule } from '../model/router-configuration.js';
import type { RoutedRecord } from './route-record.js';
import { TestDispatcher } from '../../../test/units/test-dispatcher.js';
import {
  contact,
  directory,
  engine,
  fields,
  input,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';

const is = (field: string, value: string) => ({
  groups: [{ conditions: [{ field, operator: 'eq', value }] }],
});
const rule = (name: string, values: Partial<RoutingRule> = {}): RoutingRule => ({
  name,
  trigger: { groups: [] },
  users: [],
  teams: [],
  distributionModel: null,
  rotationType: null,
  ...values,
});
const seat = (name: string, percentage?: number) => ({
  email: `${name}@acme.test`,
  ...(percentage === undefined ? {} : { percentage }),
});
const everyone = ['ada', 'bob', 'eve', 'dan'].map((name) => user(name));
const configure = (
  rules: RoutingRule[],
  values: Partial<RouterConfiguration> = {},
  chosen: Partial<RouterSettings> = {},
) => router({ users: [seat('ada'), seat('bob')], ...values, settings: settings({ ...chosen, rules }) });
const decide = (config: RouterConfiguration, values: Record<string, string> = {}) =>
  routeAndDecide(
    engine.compile(config, fields),
    input({ users: directory(...everyone), record: contact(values) }),
  );

const EMEA = rule('EMEA', { trigger: is('region', 'emea'), users: [seat('eve')] });
const APAC = rule('APAC', { trigger: is('region', 'apac'), users: [seat('dan')] });

describe('rules', () => {
  it('decide by the first whose trigger matches', () => {
    const config = configure([EMEA, APAC, rule('Also APAC', { trigger: is('region', 'apac') })]);
    expect(decide(config, { region: 'emea' })).toMatchObject({ user: 'eve@acme.test', rule: 'EMEA' });
    expect(decide(config, { region: 'apac' })).toMatchObject({ user: 'dan@acme.test', rule: 'APAC' });
  });

  it('match all without a trigger', () => {
    expect(decide(configure([EMEA, rule('Rest', { users: [seat('dan')] }), APAC]))).toMatchObject({
      user: 'dan@acme.test',
      rule: 'Rest',
    });
  });

  it('are not weighed where the trigger of the router does not match', () => {
    const config = configure([rule('All')], {}, { trigger: is('region', 'emea') });
    const decision = decide(config, { region: 'apac' });
    expect(decision).toMatchObject({ reason: 'trigger_not_matched' });
    expect(decision.trace.map(({ step }) => step)).toEqual(['trigger']);
  });

  it('leave the record to the pool of the router where none matches', () => {
    const decision = decide(configure([EMEA, APAC]));
    expect(decision).toMatchObject({ user: 'ada@acme.test', rule: null, turn: { rotationKey: '' } });
    expect(decision.trace[2]).toMatchObject({ step: 'rules', matched: null, otherwise: 'own_pool' });
  });

  it('leave the record where none matches and the router has no pool', () => {
    const decision = decide(configure([EMEA, APAC], { users: [] }));
    expect(decision).toEqual({
      assigned: false,
      reason: 'no_rule_matched',
      message: 'Trigger did not match',
      trace: [
        { step: 'trigger', matched: true, groups: [] },
        { step: 'overwrite', field: 'contact_owner', owner: null, allowed: true, because: 'no_owner' },
        {
          step: 'rules',
          matched: null,
          passed_over: 2,
          first_passed_over: [
            ['EMEA', 'region eq emea'],
            ['APAC', 'region eq apac'],
          ],
          saw: [['region', null]],
          otherwise: 'nobody',
        },
      ],
    });
  });

  it('take what they leave out from the router', () => {
    const shares = [seat('ada', 0), seat('bob', 100)];
    const config = configure([rule('All')], { users: shares }, { distributionModel: 'percentage' });
    expect(decide(config)).toMatchObject({ user: 'bob@acme.test', reason: 'percentage' });
    const equal = configure([rule('All', { distributionModel: 'round robin' })], { users: shares });
    expect(decide(equal)).toMatchObject({ user: 'ada@acme.test', reason: 'round_robin' });
  });

  it('have a pool of their own as a whole', () => {
    const sales = { id: 't1', name: 'Sales', members: ['dan@acme.test', 'eve@acme.test'] };
    const byTeam = rule('Team', { teams: [{ name: 'Sales' }], rotationType: 'teams' });
    const dispatcher = new TestDispatcher(configure([{ ...byTeam, teams: [sales] }]), everyone);
    expect(dispatcher.take(4)).toBe('dan eve dan eve');
    // If nobody resolves its name, a team has no members; the rule does not take the router's pool.
    expect(decide(configure([byTeam]))).toMatchObject({ reason: 'no_users_available' });
  });

  it('keep a rotation each', () => {
    const own = { users: [seat('ada'), seat('bob')] };
    const dispatcher = new TestDispatcher(
      configure([rule('EMEA', { ...own, trigger: is('region', 'emea') }), rule('Rest', own)]),
      everyone,
    );
    expect(dispatcher.take(1, { region: 'emea' })).toBe('ada');
    expect(dispatcher.take(3)).toBe('ada bob ada');
    expect(dispatcher.take(2, { region: 'emea' })).toBe('bob ada');
    expect([...dispatcher.states.keys()]).toEqual(['rule:EMEA', 'rule:Rest']);
    expect([...(dispatcher.states.get('rule:EMEA')?.ledgers.keys() ?? [])]).toEqual(['users']);
  });

  it('keep their rotations apart as stored, whatever their names', () => {
    const teams = [{ id: 'sales', name: 'Sales', members: ['ada@acme.test', 'bob@acme.test'] }];
    const rules = ['a', 'ateam:sales', 'a/team:sales'].map((name, index) =>
      rule(name, { teams, rotationType: 'teams', trigger: is('first_name', String(index)) }),
    );
    const compiled = engine.compile(configure(rules), fields);
    const stored = new Map<string, unknown>();
    const next = (index: number) => {
      const record = contact({ first_name: String(index) });
      const [stage] = (engine.route(compiled, record) as RoutedRecord).stages;
      const rotationKey = stage?.rotationKey ?? '';
      const rotations = new Map([[rotationKey, decodeRotationState(stored.get(rotationKey), rotationKey)]]);
      const decision = routeAndDecide(compiled, input({ users: directory(...everyone), rotations, record }));
      if (decision.assigned && decision.rotation !== null) {
        stored.set(rotationKey, encodeRotationState(decision.rotation, rotationKey));
      }
      return decision.assigned ? decision.user.slice(0, 3) : '-';
    };
    expect([0, 1, 2, 0, 1, 2, 0, 1, 2].map(next).join(' ')).toBe('ada ada ada bob bob bob ada ada ada');
    const names = ['rule:a', 'rule:ateam:sales', 'rule:a/team:sales'];
    expect(
      [...stored].map(([key, state]) => [key, Object.keys((state as EncodedRotationState).rotations)]),
    ).toEqual(names.map((name) => [name, [`${name}\nteams`, `${name}\nteam:sales`]]));
  });

  it('are traced: the one that matched in full, of those passed over what failed first in each group', () => {
    const trigger = {
      groups: [
        { conditions: [{ field: 'region', operator: 'eq', value: 'emea' }] },
        {
          conditions: [
            { field: 'lead_score', operator: 'lt', value: 100 },
            { field: 'lead_score', operator: 'gte', value: 90 },
          ],
        },
      ],
    };
    const gone = { groups: [{ conditions: [{ field: 'gone', operator: 'eq', value: 1 }] }] };
    const config = configure([rule('Hot', { trigger }), rule('Gone', { trigger: gone }), APAC]);
    expect(decide(config, { region: 'apac', lead_score: '5' }).trace[2]).toEqual({
      step: 'rules',
      matched: 'APAC',
      groups: [[{ field: 'region', operator: 'eq', value: 'apac', saw: 'apac', held: true }]],
      passed_over: 2,
      first_passed_over: [
        ['Hot', 'region eq emea', 'lead_score gte 90'],
        ['Gone', 'gone unknown field'],
      ],
      saw: [
        ['region', 'apac'],
        ['lead_score', '5'],
        ['gone', null],
      ],
    });
  });

  it('list twenty of those passed over', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      rule(`R${index}`, { trigger: is('region', 'emea') }),
    );
    const step = decide(configure([...many, APAC]), { region: 'apac' }).trace[2];
    expect(step).toMatchObject({ step: 'rules', matched: 'APAC', passed_over: 30 });
    expect(step?.step === 'rules' && step.first_passed_over?.length).toBe(20);
  });
});
