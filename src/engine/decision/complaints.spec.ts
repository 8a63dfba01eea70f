import { EMPTY_ROTATION_STATE } from '../model/rotation.js';
import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import type { RouterConfiguration, RouterSettings } from '../model/router-configuration.js';
import { BUILTIN_MODELS } from '../models/models.js';
import { validateRouter } from '../../routers/settings/validate-router.js';
import { TestDispatcher } from '../../../test/units/test-dispatcher.js';
import {
  contact,
  directory,
  engine,
  facts,
  fields,
  input,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';
import { NOTHING_ASSIGNED } from '../model/workload.js';
import { REFUSALS } from '../model/decision.js';

const names = ['ada', 'bob', 'eve', 'dan'];
const seat = (name: string, percentage?: number) => ({
  id: `id-${name}`,
  email: `${name}@acme.test`,
  percentage,
});
const config = (chosen: Partial<RouterSettings> = {}, values: Partial<RouterConfiguration> = {}) =>
  router({ users: names.map((name) => seat(name)), ...values, settings: settings(chosen) });
const everyone = names.map((name) => user(name));
const count = (taken: string, name: string) => taken.split(' ').filter((each) => each === name).length;
const open = { assigned: NOTHING_ASSIGNED, owned: 7, capacities: new Map() };

/** Frequent complaints in the public issue trackers of other routers. */
describe('No complaint that', () => {
  it('ties always favour the first', () => {
    // Every user always owns the same number of records: an assigned record is closed at once.
    let rotation = EMPTY_ROTATION_STATE;
    const taken = Array.from({ length: 8 }, () => {
      const decision = routeAndDecide(
        engine.compile(config({ distributionModel: 'load balanced' }), fields),
        input({
          users: directory(...everyone),
          rotation,
          workloads: new Map(everyone.map(({ email }) => [email, open])),
        }),
      );
      if (!decision.assigned) return '-';
      rotation = decision.rotation ?? rotation;
      return decision.user.slice(0, 3);
    });
    expect(taken.join(' ')).toBe('ada bob eve dan ada bob eve dan');
  });

  it('ties favour whoever has the lowest id or comes first in the alphabet', () => {
    const reversed = config({}, { users: [...names].reverse().map((name) => seat(name)) });
    expect(new TestDispatcher(reversed, everyone).take(5)).toBe('dan eve bob ada dan');
  });

  it('a new member is flooded', () => {
    const dispatcher = new TestDispatcher(
      config({}, { users: names.slice(0, 3).map((name) => seat(name)) }),
      everyone,
    );
    dispatcher.take(300);
    dispatcher.config = config();
    const taken = dispatcher.take(12);
    expect(count(taken, 'dan')).toBe(3);
    expect(taken).not.toContain('dan dan');
  });

  it('a returning member is flooded', () => {
    const dispatcher = new TestDispatcher(config(), everyone);
    dispatcher.take(7);
    dispatcher.users = everyone.map((each) =>
      each.email.startsWith('ada') ? { ...each, available: false } : each,
    );
    dispatcher.take(300);
    dispatcher.users = everyone;
    const taken = dispatcher.take(12);
    expect(count(taken, 'ada')).toBeGreaterThanOrEqual(3);
    expect(count(taken, 'ada')).toBeLessThanOrEqual(4);
    expect(taken).not.toContain('ada ada');
  });

  it('weights that sum to zero crash', () => {
    const nothing = config(
      { distributionModel: 'percentage' },
      { users: names.map((name) => seat(name, 0)) },
    );
    expect(validateRouter(nothing, BUILTIN_MODELS)).toEqual([
      { field: 'users', message: 'percentages must sum to 100, not 0' },
    ]);
    const decision = new TestDispatcher(nothing, everyone).next();
    expect(decision).toMatchObject({ assigned: false, reason: 'no_users_available' });
    const byTeam = { distributionModel: 'percentage', rotationType: 'teams' as const };
    const teams = [{ name: 'Sales', members: ['ada@acme.test'], percentage: 0 }];
    expect(new TestDispatcher(config(byTeam, { users: [], teams }), everyone).next()).toMatchObject({
      assigned: false,
    });
  });

  it('weights of those who happen to be in sum to zero crash', () => {
    const users = [seat('ada', 100), seat('bob', 0)];
    const away = [user('ada', { available: false }), user('bob')];
    const dispatcher = new TestDispatcher(config({ distributionModel: 'percentage' }, { users }), away);
    expect(dispatcher.next()).toMatchObject({ assigned: false, reason: 'no_users_available' });
  });

  it('the rotation is lost when membership changes', () => {
    const dispatcher = new TestDispatcher(config(), everyone);
    expect(dispatcher.take(6)).toBe('ada bob eve dan ada bob');
    dispatcher.config = config({}, { users: ['dan', 'ada', 'fay', 'eve', 'bob'].map((name) => seat(name)) });
    dispatcher.users = [...everyone, user('fay')];
    // eve and dan have the next turns; the new member stands between them in the pool.
    const taken = dispatcher.take(5).split(' ');
    expect(taken.slice(0, 2).sort()).toEqual(['dan', 'eve']);
    expect([...taken].sort()).toEqual(['ada', 'bob', 'dan', 'eve', 'fay']);
    dispatcher.config = config({}, { users: ['ada', 'bob'].map((name) => seat(name)) });
    expect(count(dispatcher.take(10), 'ada')).toBe(5);
  });

  it('inactive or out-of-office people are still assigned', () => {
    const away = { outOfOffice: [{ from: '2026-06-10T12:00:00Z', to: '2026-06-11T00:00:00Z' }] };
    const dispatcher = new TestDispatcher(config(), [
      user('ada', { available: false }),
      user('bob', away),
      user('eve'),
      // Dan is no active user any longer.
    ]);
    expect(dispatcher.take(10)).toBe(Array(10).fill('eve').join(' '));
    const out = dispatcher.next().trace.flatMap((step) => (step.step === 'eligibility' ? step.out : []));
    expect(out).toEqual([
      { reasons: ['switched_off'], users: ['ada@acme.test'] },
      { reasons: ['out_of_office'], users: ['bob@acme.test'] },
      { reasons: ['not_a_user'], users: ['dan@acme.test'] },
    ]);
  });

  it('records are silently left unassigned', () => {
    const flag = fc.boolean();
    const plan = fc.record({
      overwrite: flag,
      disableDefaultAssignment: flag,
      accountMatching: flag,
      published: flag,
      owned: flag,
      matches: flag,
      ruleMatches: flag,
      pool: fc.subarray(names),
      present: fc.subarray(names),
      full: fc.subarray(names),
      defaultUser: fc.constantFrom(null, 'ada@acme.test', 'gone@acme.test'),
    });
    const when = (matches: boolean) => ({
      groups: [{ conditions: [{ field: 'vip', operator: matches ? 'is_empty' : 'is_not_empty' }] }],
    });
    fc.assert(
      fc.property(plan, ({ published, owned, matches, ruleMatches, pool, present, full, ...chosen }) => {
        const rule = { users: [], teams: [], distributionModel: null, rotationType: null };
        const rules = [{ name: 'Rule', trigger: when(ruleMatches), ...rule }];
        const given = config(
          { ...chosen, trigger: when(matches), rules },
          { published, users: pool.map((name) => seat(name)) },
        );
        const users = names.map((name) =>
          user(name, { available: present.includes(name), limits: full.includes(name) ? { day: 0 } : null }),
        );
        const decision = new TestDispatcher(given, users).next(
          owned ? { contact_owner: 'eve@acme.test' } : {},
        );
        expect(decision.trace.length).toBeGreaterThan(0);
        if (decision.assigned) return;
        expect(decision.message).toBe(REFUSALS[decision.reason]);
        // The trace names everyone of the pool with the reasons, unless the decision ended before.
        const step = decision.trace.at(-1);
        if (step?.step !== 'default_user') return;
        const named = decision.trace.flatMap((each) =>
          each.step === 'eligibility' ? each.out.flatMap(({ users: list }) => list) : [],
        );
        expect(named).toEqual(expect.arrayContaining(pool.map((name) => `${name}@acme.test`)));
      }),
      { numRuns: storm(300) },
    );
  });

  it('a bulk insert all goes to one person', () => {
    const compiled = engine.compile(config({ distributionModel: 'load balanced' }), fields);
    const record = contact();
    // Counted once for all of them.
    const workloads = new Map(everyone.map(({ email }) => [email, open]));
    const book = engine.open(facts({ routers: [compiled], users: directory(...everyone), workloads }));
    const routed = engine.route(compiled, record);
    const taken = Array.from({ length: 40 }, () => {
      const decision = book.decide({ router: compiled, record, routed, matchedOwner: null });
      return decision.assigned ? decision.user.slice(0, 3) : '-';
    }).join(' ');
    expect(names.map((name) => count(taken, name))).toEqual([10, 10, 10, 10]);
  });

  it.each([
    // Clocks in Berlin go forward on 2026-03-29 and back on 2026-10-25.
    ['Europe/Berlin', '2026-03-27T08:00:00Z', '2026-03-30T07:00:00Z'],
    ['Europe/Berlin', '2026-10-23T07:00:00Z', '2026-10-26T08:00:00Z'],
    ['America/New_York', '2026-03-06T14:00:00Z', '2026-03-09T13:00:00Z'],
    ['Australia/Sydney', '2026-04-02T22:00:00Z', '2026-04-05T23:00:00Z'],
  ])('daylight saving shifts working hours: %s', (timezone, before, after) => {
    const workingHours = [{ days: ['mon', 'fri'] as const, start: '09:00', end: '17:00' }];
    const dispatcher = new TestDispatcher(config({}, { users: [seat('ada')] }), [
      user('ada', { timezone, workingHours }),
    ]);
    for (const opening of [before, after]) {
      dispatcher.at = new Date(Date.parse(opening) - 1);
      expect(dispatcher.next()).toMatchObject({ assigned: false });
      dispatcher.at = new Date(opening);
      expect(dispatcher.next()).toMatchObject({ assigned: true });
      dispatcher.at = new Date(Date.parse(opening) + 8 * 3_600_000);
      expect(dispatcher.next()).toMatchObject({ assigned: false });
    }
  });
});
