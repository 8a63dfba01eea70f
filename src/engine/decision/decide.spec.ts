import type { User } from '../../directory/user.js';
import type { RouterConfiguration, RouterSettings } from '../model/router-configuration.js';
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
import type { DecisionInput } from '../model/decision.js';

const off = { available: false };
const nights = { workingHours: [{ days: ['wed'] as const, start: '20:00', end: '23:00' }] };
const pool = { users: [{ id: 'id-ada', email: 'ada@acme.test' }, { email: 'Bob@acme.test' }] };
const team = (ada: Partial<User> = {}, bob: Partial<User> = {}) =>
  directory(user('ada', ada), user('bob', bob), user('eve'));

const run = (
  chosen: Partial<RouterSettings> = {},
  given: Partial<DecisionInput> = {},
  config: Partial<RouterConfiguration> = {},
) =>
  routeAndDecide(
    engine.compile(router({ ...pool, settings: settings(chosen), ...config }), fields),
    input({ users: team(), ...given }),
  );
const owned = (email: string) => ({ record: contact({ contact_owner: email }) });
const steps = ({ trace }: ReturnType<typeof run>) => trace.map(({ step }) => step);

describe('decide', () => {
  it('assigns with all that is to be stored and why', () => {
    const decision = run();
    expect(decision).toMatchObject({
      assigned: true,
      user: 'ada@acme.test',
      fieldName: 'contact_owner',
      reason: 'round_robin',
      message: 'The object was successfully assigned',
      rotation: { seq: 1 },
    });
    expect(decision.trace).toEqual([
      { step: 'trigger', matched: true, groups: [] },
      { step: 'overwrite', field: 'contact_owner', owner: null, allowed: true, because: 'no_owner' },
      { step: 'eligibility', in: ['ada@acme.test', 'bob@acme.test'], out: [] },
      {
        step: 'distribution',
        model: 'round robin',
        among: 'users',
        chosen: 'ada@acme.test',
        rule: 'earliest_deadline',
        columns: ['candidate', 'share', 'credit', 'credit_after', 'last'],
        rows: [
          ['ada@acme.test', 0.5, 0, -0.5, 0],
          ['bob@acme.test', 0.5, 0, 0.5, 0],
        ],
      },
    ]);
  });

  describe('stops', () => {
    const never = { groups: [{ conditions: [{ field: 'first_name', operator: 'is_not_empty' }] }] };

    it('at a router that is unpublished, settings or not', () => {
      for (const chosen of [settings({ trigger: never }), null]) {
        expect(run({}, {}, { published: false, settings: chosen })).toEqual({
          assigned: false,
          reason: 'router_unpublished',
          message: 'The router is unpublished',
          trace: [{ step: 'router', published: false, settings: chosen !== null }],
        });
      }
    });

    it('at a router without settings', () => {
      const decision = run({}, {}, { settings: null });
      expect(decision).toMatchObject({
        reason: 'router_has_no_settings',
        message: 'The router has no settings',
      });
    });

    it('at a trigger that does not match, before it looks at the owner', () => {
      const decision = run({ trigger: never }, owned('eve@acme.test'));
      expect(decision).toMatchObject({ reason: 'trigger_not_matched', message: 'Trigger did not match' });
      expect(steps(decision)).toEqual(['trigger']);
    });

    it('at an owner who may not be replaced', () => {
      const decision = run({}, owned('eve@acme.test'));
      expect(decision).toMatchObject({ reason: 'owner_present', message: 'The router can not overwrite' });
      expect(steps(decision)).toEqual(['trigger', 'overwrite']);
    });

    it('where nobody is available and there is no backup', () => {
      const decision = run({}, { users: team(off, off) });
      expect(decision).toMatchObject({
        assigned: false,
        reason: 'no_users_available',
        message: 'There are no users available and the backup user is disabled',
      });
      expect(decision.trace.slice(2)).toEqual([
        {
          step: 'eligibility',
          in: [],
          out: [{ reasons: ['switched_off'], users: ['ada@acme.test', 'bob@acme.test'] }],
        },
        { step: 'default_user', user: null, outcome: 'not_set' },
      ]);
    });
  });

  describe('replaces an owner', () => {
    it('where the router overwrites', () => {
      expect(run({ overwrite: true }, owned('eve@acme.test'))).toMatchObject({ user: 'ada@acme.test' });
    });

    it.each([
      ['switched off', off, ['switched_off']],
      ['outside working hours', nights, ['outside_working_hours']],
      ['away', { outOfOffice: [{ from: '2026-06-01', to: '2026-07-01' }] }, ['out_of_office']],
    ])('who is %s, where it may replace unavailable ones', (_name, values, unavailable) => {
      const users = directory(user('ada'), user('eve', values));
      const decision = run({ overwriteIfUnavailable: true }, { users, ...owned('Eve@acme.test') });
      expect(decision).toMatchObject({ user: 'ada@acme.test' });
      expect(decision.trace[1]).toMatchObject({ because: 'owner_unavailable', unavailable });
    });

    it('who is no longer a user', () => {
      const decision = run({ overwriteIfUnavailable: true }, owned('gone@acme.test'));
      expect(decision.trace[1]).toMatchObject({ because: 'owner_unavailable', unavailable: ['not_a_user'] });
    });

    it('but not one who is available', () => {
      expect(run({ overwriteIfUnavailable: true }, owned('eve@acme.test'))).toMatchObject({
        reason: 'owner_present',
      });
    });
  });

  describe('matches accounts', () => {
    const matched = (owner: string | null) => ({
      matchedOwner: { companyId: 'c1', host: 'acme.test', owner },
    });

    it('and gives the contact to the owner of the company without moving a rotation', () => {
      const decision = run({ accountMatching: true }, matched('Eve@acme.test'));
      expect(decision).toMatchObject({ user: 'eve@acme.test', reason: 'account_matched', rotation: null });
      expect(decision.trace.at(-1)).toEqual({
        step: 'account_matching',
        outcome: 'assigned',
        host: 'acme.test',
        company_id: 'c1',
        owner: 'Eve@acme.test',
      });
    });

    it.each([
      ['no_company', { matchedOwner: null }, {}],
      ['no_owner', matched(null), {}],
      ['owner_not_eligible', matched('gone@acme.test'), { reasons: ['not_a_user'] }],
      [
        'owner_not_eligible',
        { ...matched('bob@acme.test'), users: team({}, nights) },
        { reasons: ['outside_working_hours'] },
      ],
    ])('or takes turns: %s %j', (outcome, given, more) => {
      const decision = run({ accountMatching: true }, given);
      expect(decision).toMatchObject({ user: 'ada@acme.test', reason: 'round_robin' });
      expect(decision.trace[2]).toMatchObject({ step: 'account_matching', outcome, ...more });
    });

    it('only where the router asks for it', () => {
      expect(run({}, matched('eve@acme.test'))).toMatchObject({
        user: 'ada@acme.test',
        reason: 'round_robin',
      });
    });
  });

  describe('ignores working hours', () => {
    it('when nobody is inside, but minds the switch', () => {
      const decision = run({ ignoreWorkingHours: true }, { users: team({ ...nights, ...off }, nights) });
      expect(decision).toMatchObject({ user: 'bob@acme.test', reason: 'round_robin', rotation: { seq: 1 } });
      expect(decision.trace[3]).toEqual({ step: 'ignore_working_hours', candidates: 1 });
    });

    it('never while somebody is inside', () => {
      const decision = run({ ignoreWorkingHours: true }, { users: team(nights) });
      expect(decision).toMatchObject({ user: 'bob@acme.test' });
      expect(steps(decision)).not.toContain('ignore_working_hours');
    });

    it('in vain where everyone is switched off', () => {
      const decision = run({ ignoreWorkingHours: true }, { users: team(off, off) });
      expect(decision).toMatchObject({ reason: 'no_users_available' });
      expect(decision.trace[3]).toEqual({ step: 'ignore_working_hours', candidates: 0 });
    });
  });

  describe('falls back', () => {
    const nobody = { users: directory(user('ada', off), user('bob', off), user('eve', off)) };

    it('on the backup user, available or not, without moving a rotation', () => {
      const decision = run({ defaultUser: 'eve@acme.test' }, nobody);
      expect(decision).toMatchObject({ user: 'eve@acme.test', reason: 'default_user', rotation: null });
    });

    it.each([
      [{ defaultUser: 'eve@acme.test', disableDefaultAssignment: true }, 'disabled'],
      [{ defaultUser: 'gone@acme.test' }, 'not_a_user'],
      [{}, 'not_set'],
    ])('on nobody with %j', (chosen, outcome) => {
      const decision = run(chosen, nobody);
      expect(decision).toMatchObject({ assigned: false, reason: 'no_users_available' });
      expect(decision.trace.at(-1)).toMatchObject({ step: 'default_user', outcome });
    });

    it('where the pool is empty or all who are eligible have the share 0', () => {
      const backup = { defaultUser: 'eve@acme.test' };
      expect(run(backup, {}, { users: [] })).toMatchObject({ reason: 'default_user' });
      const users = [
        { email: 'ada@acme.test', percentage: 0 },
        { email: 'bob@acme.test', percentage: 100 },
      ];
      const percentage = { ...backup, distributionModel: 'percentage' };
      expect(
        run(percentage, { users: team({}, off) }, { settings: settings(percentage), users }),
      ).toMatchObject({
        reason: 'default_user',
      });
      const decision = run(percentage, {}, { users });
      expect(decision).toMatchObject({ user: 'bob@acme.test', reason: 'percentage' });
      expect(decision.trace.at(-1)).toMatchObject({ without_share: ['ada@acme.test'], rule: 'only_one' });
    });
  });

  it('survives names that objects are born with', () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const decision = run(
      { defaultUser: '__proto__' },
      { record: contact({ contact_owner: 'constructor' }) },
      { users: names.map((email) => ({ email })), teams: [{ name: '__proto__', members: names }] },
    );
    expect(decision).toMatchObject({ assigned: false, reason: 'owner_present' });
    expect(
      run({ overwriteIfUnavailable: true, defaultUser: 'hasOwnProperty' }, owned('constructor'), {
        users: names.map((email) => ({ email })),
      }),
    ).toMatchObject({ reason: 'no_users_available' });
  });
});
