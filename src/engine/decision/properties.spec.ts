import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import type { User } from '../../directory/user.js';
import { limitWindows } from '../../directory/limits/limit-windows.js';
import { CREDIT_UNIT } from '../ledger/credit.js';
import type { RoutingRule } from '../model/router-configuration.js';
import { TestDispatcher, pass } from '../../../test/units/test-dispatcher.js';
import { router, settings, user } from '../../../test/units/engine-fixtures.js';
import { random } from '../../../test/units/rotation-simulation.js';
import { LIMIT_SPANS } from '../../directory/user.js';
import type { Capacity } from '../model/workload.js';

const MINUTE = 60_000;
const named = (count: number, values: (index: number) => Partial<User> = () => ({})) =>
  Array.from({ length: count }, (_, index) => user(`u${index}`, values(index)));
const seats = (users: readonly User[], percentages?: readonly number[]) =>
  users.map(({ id, email }, index) => ({ id, email, percentage: percentages?.[index] }));

/** Whole percentages that sum to 100, none 0. */
const shares = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 11 })
  .map((cuts) => [0, ...cuts.sort((a, b) => a - b), 100])
  .map((cuts) => cuts.slice(1).map((cut, index) => cut - cuts[index]!));

describe('rules', () => {
  it('each keep the bound 1 − 1/(2m − 2) in a rotation of their own, however records alternate', () => {
    fc.assert(
      fc.property(fc.array(shares, { minLength: 2, maxLength: 3 }), fc.integer(), (pools, seed) => {
        const users = named(12);
        const rules = pools.map((list, index): RoutingRule => ({
          name: `Rule ${index}`,
          trigger: {
            groups: [{ conditions: [{ field: 'first_name', operator: 'eq', value: String(index) }] }],
          },
          users: list.map((percentage, place) => ({ email: users[place]!.email, percentage })),
          teams: [],
          distributionModel: 'percentage',
          rotationType: null,
        }));
        const dispatcher = new TestDispatcher(router({ settings: settings({ rules }) }), users);
        const next = random(seed);
        for (let turn = 0; turn < 1000; turn += 1) {
          const index = Math.floor(next() * pools.length);
          const decision = dispatcher.next({ first_name: String(index) });
          if (!decision.assigned || decision.rule !== `Rule ${index}`) throw new Error(decision.message);
          const scale = BigInt(2 * pools[index]!.length - 2);
          const ledger = decision.rotation?.ledgers.get('users');
          expect(ledger?.size).toBe(pools[index]!.length);
          for (const { credit } of ledger?.values() ?? []) {
            const size = credit < 0n ? -credit : credit;
            if (size * scale > (scale - 1n) * CREDIT_UNIT) throw new Error(`Credit ${credit}`);
          }
        }
      }),
      { numRuns: storm(6, 3) },
    );
  });
});

describe('limits', () => {
  const limit = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
  const limits = fc.record(
    {
      hour: limit,
      day: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      week: fc.option(fc.integer({ min: 5, max: 40 }), { nil: undefined }),
      month: fc.option(fc.integer({ min: 5, max: 60 }), { nil: undefined }),
      window: fc.constantFrom('rolling' as const, 'calendar' as const),
    },
    { requiredKeys: ['window'] },
  );
  const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe');

  it('are never exceeded over time, and somebody with room is never passed over for nobody', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(limits, zone), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('round robin', 'load balanced'),
        fc.integer(),
        (given, distributionModel, seed) => {
          const users = given.map(([each, timezone], index) =>
            user(`u${index}`, { timezone, limits: each as NonNullable<User['limits']> }),
          );
          const config = router({ users: seats(users), settings: settings({ distributionModel }) });
          const dispatcher = new TestDispatcher(config, users);
          const next = random(seed);
          const counts = (each: User) => {
            const windows = limitWindows(each, dispatcher.at);
            return LIMIT_SPANS.map((span) => [
              dispatcher.log.filter(({ email, at }) => email === each.email && at >= windows[span]).length,
              each.limits?.[span] ?? Infinity,
            ]);
          };
          for (let turn = 0; turn < 150; turn += 1) {
            const room = users.filter((each) => counts(each).every(([count = 0, most = 0]) => count < most));
            const decision = dispatcher.next();
            if (decision.assigned !== room.length > 0) throw new Error(decision.message);
            if (!decision.assigned) expect(decision.reason).toBe('assignment_limit_reached');
            for (const each of users) {
              for (const [count = 0, most = 0] of counts(each)) if (count > most) throw new Error(each.email);
            }
            pass(dispatcher, Math.floor(next() * (next() < 0.1 ? 3000 : 25)) * MINUTE);
          }
        },
      ),
      { numRuns: storm(15, 5) },
    );
  });
});

describe('load balanced', () => {
  it('keeps the most and the fewest owned within one from an equal start, by user and by team', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 3 }),
        (m, byTeam, max) => {
          const users = named(m);
          const half = Math.floor(m / 2);
          const teams = [users.slice(0, half), users.slice(half, 2 * half)].map((members, index) => ({
            name: `Team ${index}`,
            members: members.map(({ email }) => email),
          }));
          const config = router({
            ...(byTeam ? { teams } : { users: seats(users) }),
            settings: settings({
              distributionModel: 'load balanced',
              rotationType: byTeam ? 'teams' : 'users',
            }),
          });
          const capacity: Capacity = {
            name: 'Open',
            objectType: 'contacts',
            field: 'region',
            values: ['emea'],
            maxByEmail: new Map(max === 0 ? [] : users.map(({ email }) => [email, 100 * max])),
          };
          const dispatcher = new TestDispatcher(config, byTeam ? users.slice(0, 2 * half) : users, [
            capacity,
          ]);
          for (let turn = 0; turn < 60; turn += 1) {
            if (!dispatcher.next({ region: 'emea' }).assigned) throw new Error('Nobody');
            if (Math.max(...dispatcher.owned) - Math.min(...dispatcher.owned) > 1)
              throw new Error(dispatcher.owned.join());
          }
        },
      ),
      { numRuns: storm(25, 5) },
    );
  });

  it('never lets anybody own more than the maximum, and fills everyone up', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 }), (most) => {
        const users = named(most.length);
        const capacity: Capacity = {
          name: 'Open',
          objectType: 'contacts',
          field: 'region',
          values: ['emea'],
          maxByEmail: new Map(users.map(({ email }, index) => [email, most[index]!])),
        };
        const config = router({
          users: seats(users),
          settings: settings({ distributionModel: 'load balanced' }),
        });
        const dispatcher = new TestDispatcher(config, users, [capacity]);
        const total = most.reduce((sum, max) => sum + max, 0);
        for (let turn = 0; turn < total; turn += 1) dispatcher.next({ region: 'emea' });
        expect(dispatcher.owned).toEqual(most);
        expect(dispatcher.next({ region: 'emea' })).toMatchObject({ reason: 'assignment_limit_reached' });
      }),
      { numRuns: storm(40, 8) },
    );
  });
});

describe('any decision', () => {
  const person = fc.record({
    available: fc.boolean(),
    away: fc.boolean(),
    inside: fc.boolean(),
    full: fc.boolean(),
    capped: fc.boolean(),
  });
  const chosen = fc.record({
    rotationType: fc.constantFrom('users' as const, 'teams' as const),
    distributionModel: fc.constantFrom('round robin', 'load balanced'),
    ignoreWorkingHours: fc.boolean(),
  });

  it('assigns nobody who is out, and somebody where anybody is in', () => {
    fc.assert(
      fc.property(fc.array(person, { minLength: 1, maxLength: 8 }), chosen, (people, given) => {
        const users = people.map(({ available, away, inside, full }, index) =>
          user(`u${index}`, {
            available,
            outOfOffice: away ? [{ from: '2026-06-10', to: '2026-06-11' }] : [],
            workingHours: inside ? null : [],
            limits: full ? { day: 0 } : null,
          }),
        );
        const capped = users.filter((_, index) => people[index]?.capped);
        const capacity: Capacity = {
          name: 'Open',
          objectType: 'contacts',
          field: 'region',
          values: ['emea'],
          maxByEmail: new Map(capped.map(({ email }) => [email, 0])),
        };
        const half = Math.ceil(users.length / 2);
        const config = router({
          users: seats(users.slice(0, half)),
          teams: [{ name: 'Rest', members: users.slice(half).map(({ email }) => email) }],
          settings: settings(given),
        });
        const decision = new TestDispatcher(config, users, [capacity]).next({ region: 'emea' });
        const present = people.filter(({ available, away }) => available && !away);
        const waived = given.ignoreWorkingHours && present.every(({ inside }) => !inside);
        const candidates = present.filter(({ inside }) => inside || waived);
        const eligible = candidates.filter(({ full, capped: isCapped }) => !full && !isCapped);
        if (!decision.assigned) {
          expect(eligible).toEqual([]);
          expect(decision.reason).toBe(
            candidates.length > 0 ? 'assignment_limit_reached' : 'no_users_available',
          );
        } else {
          const index = users.findIndex(({ email }) => email === decision.user);
          expect(eligible).toContain(people[index]);
        }
      }),
      { numRuns: storm(300) },
    );
  });
});
