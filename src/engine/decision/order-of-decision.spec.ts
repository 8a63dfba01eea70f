import type { CompiledRouter } from './plan.js';
import { assignedInstants } from '../../../test/units/assigned-instants.js';
import type { DecisionInput } from '../model/decision.js';
import type { RouterConfiguration, RouterSettings, RoutingRule } from '../model/router-configuration.js';
import {
  contact,
  directory,
  engine,
  fields,
  input,
  NOON,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';

const rule = (name: string, values: Partial<RoutingRule> = {}): RoutingRule => ({
  name,
  trigger: { groups: [{ conditions: [{ field: 'region', operator: 'eq', value: name.toLowerCase() }] }] },
  users: [],
  teams: [],
  distributionModel: null,
  rotationType: null,
  ...values,
});
const mail = (name: string): string => `${name}@acme.test`;
const everyone = ['ada', 'bob', 'eve', 'dan'].map((name) => user(name));
const MATCHED = { companyId: 'company', host: 'acme.com', owner: mail('eve') };

const configure = (chosen: Partial<RouterSettings>, values: Partial<RouterConfiguration> = {}) =>
  engine.compile(
    router({
      users: [{ email: mail('ada') }, { email: mail('bob') }],
      ...values,
      settings: settings(chosen),
    }),
    fields,
  );
const decide = (
  chosen: Partial<RouterSettings>,
  given: Partial<DecisionInput> = {},
  values: Partial<RouterConfiguration> = {},
) => routeAndDecide(configure(chosen, values), input({ users: directory(...everyone), ...given }));
const steps = (decision: ReturnType<typeof decide>) => decision.trace.map(({ step }) => step);

describe('a decision is taken in this order [contract 4]', () => {
  const all = { overwrite: true, accountMatching: true, rules: [rule('EMEA')] };
  const record = contact({ region: 'emea', contact_owner: mail('dan') });

  it('trigger, owner, company, rules, turn', () => {
    const decision = decide(all, { record });
    expect(steps(decision)).toEqual([
      'trigger', 'overwrite', 'account_matching', 'rules', 'eligibility', 'distribution',
    ]); // prettier-ignore
    expect(decision).toMatchObject({ user: mail('ada'), rule: 'EMEA' });
  });

  it('an owner who cannot be replaced is kept before the company and the rules are looked at', () => {
    const decision = decide({ ...all, overwrite: false }, { record, matchedOwner: MATCHED }, { users: [] });
    expect(decision).toMatchObject({ reason: 'owner_present', owner: mail('dan') });
    expect(steps(decision)).toEqual(['trigger', 'overwrite']);
  });

  it.each([
    ['a rule matches', 'emea', {}],
    ['no rule matches', 'apac', {}],
    ['the rule refuses', 'emea', { refuse: true }],
  ] as const)('the company decides where %s', (_, region, values) => {
    const rules = [rule('EMEA', values)];
    const found = { record: contact({ region }), matchedOwner: MATCHED };
    const decision = decide({ accountMatching: true, rules }, found, { users: [] });
    expect(decision).toMatchObject({ assigned: true, user: mail('eve'), reason: 'account_matched' });
    expect(steps(decision)).toEqual(['trigger', 'overwrite', 'account_matching']);
  });

  it('a rule decides where the owner of the company cannot take the record', () => {
    const users = directory(user('ada'), user('eve', { available: false }));
    const found = { record: contact({ region: 'apac' }), matchedOwner: MATCHED, users };
    const decision = decide({ accountMatching: true, rules: [rule('EMEA')] }, found, { users: [] });
    expect(decision).toMatchObject({ assigned: false, reason: 'no_rule_matched' });
    expect(steps(decision)).toEqual(['trigger', 'overwrite', 'account_matching', 'rules']);
  });
});

describe('a rule that refuses [contract 4]', () => {
  const rules = [rule('EMEA', { refuse: true }), rule('Rest', { trigger: { groups: [] } })];

  it('assigns nobody, the backup neither', () => {
    const emea = { record: contact({ region: 'emea' }) };
    const decision = decide({ rules, defaultUser: mail('dan') }, emea);
    expect(decision).toMatchObject({
      assigned: false,
      reason: 'rule_refused',
      message: 'Trigger did not match',
    });
    expect(decision.trace.at(-1)).toMatchObject({ step: 'rules', matched: 'EMEA', refuses: true });
    expect(decide({ rules, defaultUser: mail('dan') })).toMatchObject({ user: mail('ada'), rule: 'Rest' });
  });
});

describe('a stored rule or router that lists nobody [contract 4]', () => {
  it('assigns nobody of the router’s pool, and then the backup', () => {
    const rules = [rule('EMEA', { listsNobody: true })];
    const emea = { record: contact({ region: 'emea' }) };
    expect(decide({ rules }, emea)).toMatchObject({ assigned: false, reason: 'no_users_available' });
    expect(decide({ rules, defaultUser: mail('dan') }, emea)).toMatchObject({ user: mail('dan') });
    expect(decide({}, {}, { users: [] })).toMatchObject({ reason: 'no_users_available' });
  });
});

describe('where no rule matches and there is no other pool [contract 4]', () => {
  const chosen = { rules: [rule('EMEA')], noRuleMatched: 'default_user', defaultUser: mail('dan') } as const;
  const nobody = { users: [] };

  it('the backup gets the record if the router says so', () => {
    const decision = decide(chosen, {}, nobody);
    expect(decision).toMatchObject({ assigned: true, user: mail('dan'), reason: 'default_user', turn: null });
    expect(decision.trace.slice(-2)).toMatchObject([
      { step: 'rules', matched: null, otherwise: 'default_user' },
      { step: 'default_user', user: mail('dan'), outcome: 'assigned' },
    ]);
    expect(decide({ ...chosen, noRuleMatched: 'refuse' }, {}, nobody)).toMatchObject({
      reason: 'no_rule_matched',
    });
  });

  it.each([
    ['there is none', { defaultUser: null }],
    ['the backup is disabled', { disableDefaultAssignment: true }],
    ['the backup is no user any more', { defaultUser: mail('gone') }],
  ])('nobody gets it where %s', (_, more) => {
    const decision = decide({ ...chosen, ...more }, {}, nobody);
    expect(decision).toMatchObject({ reason: 'no_rule_matched', message: 'Trigger did not match' });
  });

  it('nobody gets it where the backup must be available and is not', () => {
    const users = directory(user('dan', { available: false }));
    const more = { ...chosen, defaultUserMustBeAvailable: true };
    expect(decide(more, { users }, nobody)).toMatchObject({ reason: 'no_rule_matched' });
  });

  it('the router’s own pool has precedence', () => {
    expect(decide(chosen)).toMatchObject({ user: mail('ada'), reason: 'round_robin' });
  });
});

describe('a backup user who must be available [contract 4]', () => {
  const chosen = { defaultUser: mail('dan'), defaultUserMustBeAvailable: true };
  const full = { assigned: assignedInstants({ day: 2, week: 2, month: 2 }), owned: 0, capacities: new Map() };
  const away = { from: '2026-06-01T00:00:00Z', to: '2026-07-01T00:00:00Z' };
  const night = [{ days: ['wed'], start: '20:00', end: '21:00' }] as const;
  const backup = (dan: Parameters<typeof user>[1]) => ({ users: directory(user('dan', dan)), at: NOON });

  it.each([
    ['switched off', { available: false }, ['switched_off']],
    ['out of office', { outOfOffice: [away] }, ['out_of_office']],
    ['outside working hours', { workingHours: night }, ['outside_working_hours']],
  ])('gets nothing while %s', (_, values, reasons) => {
    const decision = decide(chosen, backup(values));
    expect(decision).toMatchObject({ assigned: false, reason: 'no_users_available' });
    expect(decision.trace.at(-1)).toEqual({
      step: 'default_user', user: mail('dan'), outcome: 'not_available', reasons,
    }); // prettier-ignore
    expect(decide({ defaultUser: mail('dan') }, backup(values as any))).toMatchObject({ user: mail('dan') });
  });

  it('gets nothing at the limit, which is then the reason', () => {
    const given = { ...backup({ limits: { day: 2 } }), workloads: new Map([[mail('dan'), full]]) };
    const decision = decide(chosen, given);
    expect(decision).toMatchObject({
      reason: 'assignment_limit_reached',
      message: 'Assignment limit reached',
    });
    expect(decision.trace.at(-1)).toMatchObject({ outcome: 'not_available', saw: '2/2' });
  });

  it('gets nothing while switched off and at the limit, which is not the reason then', () => {
    const given = backup({ available: false, limits: { day: 2 } });
    const decision = decide(chosen, { ...given, workloads: new Map([[mail('dan'), full]]) });
    expect(decision).toMatchObject({ assigned: false, reason: 'no_users_available' });
    const reasons = ['switched_off', 'day_limit_reached'];
    expect(decision.trace.at(-1)).toMatchObject({ outcome: 'not_available', reasons, saw: '2/2' });
  });

  it('is counted, and locked, with the pool', () => {
    const given = backup({ limits: { day: 2 } });
    const assigned = (router: CompiledRouter) => {
      const ask = { router, record: contact(), routed: engine.route(router, contact()), matchedOwner: null };
      return engine.needs([ask], { users: given.users, capacities: [] }).assigned;
    };
    expect(assigned(configure(chosen))).toEqual([mail('dan')]);
    for (const other of [{ defaultUserMustBeAvailable: false }, { disableDefaultAssignment: true }]) {
      expect(assigned(configure({ ...chosen, ...other }))).toEqual([]);
    }
  });

  it('gets the record when available', () => {
    expect(decide(chosen, backup({}))).toMatchObject({ user: mail('dan'), reason: 'default_user' });
  });
});

describe('a run that chooses the present owner [contract 4]', () => {
  const owned = (name: string) => ({ record: contact({ contact_owner: mail(name) }) });
  const kept = { assigned: true, unchanged: true, reason: 'already_owner', rotation: null, turn: null };

  it.each([
    ['by turn', 'round_robin', 'ada', {}, {}],
    [
      'as the owner of the company',
      'account_matched',
      'eve',
      { accountMatching: true },
      { matchedOwner: MATCHED },
    ],
    ['as the backup', 'default_user', 'dan', { defaultUser: mail('dan') }, { users: directory(user('dan')) }],
  ] as const)('%s changes nothing', (_, chosenBy, name, chosen, given) => {
    const decision = decide({ overwrite: true, ...chosen }, { ...given, ...owned(name) });
    expect(decision).toMatchObject({ ...kept, user: mail(name) });
    expect(decision.trace.at(-1)).toEqual({ step: 'already_owner', user: mail(name), chosen_by: chosenBy });
  });

  it('knows the owner in any case of letters', () => {
    const record = contact({ contact_owner: 'Ada@Acme.test' });
    expect(decide({ overwrite: true }, { record })).toMatchObject(kept);
  });

  it('needs no room in the owner’s limits', () => {
    const full = {
      assigned: assignedInstants({ day: 1, week: 1, month: 1 }),
      owned: 0,
      capacities: new Map(),
    };
    const users = directory(user('ada', { limits: { day: 1 } }));
    const given = { users, workloads: new Map([[mail('ada'), full]]) };
    expect(decide({ overwrite: true }, { ...given, ...owned('ada') })).toMatchObject(kept);
    expect(decide({ overwrite: true }, given)).toMatchObject({ reason: 'assignment_limit_reached' });
  });
});
