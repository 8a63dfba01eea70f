import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import { router, settings, user } from '../../../test/units/engine-fixtures.js';
import { TestDispatcher } from '../../../test/units/test-dispatcher.js';
import type { Decision } from '../model/decision.js';
import type { RouterSettings, RoutingRule, RoutingStep } from '../model/router-configuration.js';

const mail = (name: string) => `${name}@acme.test`;
const seat = (name: string, percentage?: number) => ({ id: `id-${name}`, email: mail(name), percentage });
const step = (names: readonly string[], values: Partial<RoutingStep> = {}): RoutingStep => ({
  users: names.map((name) => seat(name)),
  teams: [],
  ...values,
});
const rule = (values: Partial<RoutingRule>): RoutingRule => ({
  name: 'All',
  trigger: { groups: [] },
  users: [],
  teams: [],
  ...values,
});

/** A router with that own pool, and all users in but those who are out. */
function dispatcher(own: readonly string[], chosen: Partial<RouterSettings>, out: readonly string[] = []) {
  const rules = (chosen.rules ?? []).flatMap(({ users, steps }) => [{ users }, ...(steps ?? [])]);
  const listed = [...rules, ...(chosen.steps ?? [])].flatMap(({ users }) => users.map(({ email }) => email));
  const names = new Set([...own, ...listed.map((email) => email.split('@')[0] ?? '')]);
  const users = [...names].map((name) => user(name, { available: !out.includes(name) }));
  const config = router({ users: own.map((name) => seat(name)), settings: settings(chosen) });
  return new TestDispatcher(config, users);
}

/** Who gets a record and from which step, or why nobody does. */
const shown = (decision: Decision): string =>
  decision.assigned ? `${decision.user.split('@')[0]} ${decision.step}` : decision.reason;

/** All subsets. */
const subsets = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((all, item) => [...all, ...all.map((some) => [...some, item])], [[]]);

/** What the contract says: the turns go round among those who are in of the first pool that has any. */
function oracle(pools: readonly (readonly string[])[], out: readonly string[], count: number): string[] {
  const places = pools.map((pool, place) => ({ place, there: pool.filter((name) => !out.includes(name)) }));
  const first = places.find(({ there }) => there.length > 0);
  return Array.from({ length: count }, (_, n) =>
    first === undefined ? 'no_users_available' : `${first.there[n % first.there.length]} ${first.place}`,
  );
}

describe('steps', () => {
  it.each([
    {
      own: [],
      later: [
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
        ['g', 'h', 'i'],
      ],
    },
    {
      own: ['a', 'b', 'c'],
      later: [
        ['d', 'e', 'f'],
        ['g', 'h', 'i'],
      ],
    },
    {
      own: ['a', 'b'],
      later: [
        ['b', 'c', 'a'],
        ['c', 'd', 'e'],
        ['a', 'e'],
      ],
    },
    { own: [], later: [['a', 'b'], ['b'], ['c', 'a', 'b']] },
  ])(
    'follow each other while nobody of the one before is in, whoever is out: $own $later [contract 8.1]',
    ({ own, later }) => {
      const steps = later.map((names) => step(names));
      // The same steps in a rule, which has rotations of its own.
      const rules = [rule({ users: own.map((name) => seat(name)), steps })];
      for (const each of [dispatcher(own, { steps }), dispatcher([], { rules })]) {
        const everyone = each.users;
        const taken = subsets([...new Set([own, ...later].flat())]).map((out) => {
          each.states.clear();
          each.users = everyone.filter(({ email }) => !out.includes(email.slice(0, 1)));
          return [out, Array.from({ length: 7 }, () => shown(each.next()))] as const;
        });
        expect(taken).toEqual(taken.map(([out]) => [out, oracle([own, ...later], out, 7)]));
      }
    },
  );

  it('have a rotation each, whose bound holds whichever pools are away in between [contract 8.1]', () => {
    const pools = [
      { names: ['a', 'b'], shares: [0.5, 0.5] },
      { names: ['c', 'd', 'e'], shares: [0.6, 0.3, 0.1] },
      { names: ['f', 'g', 'h', 'i'], shares: [0.25, 0.25, 0.25, 0.25] },
    ];
    const steps = [
      step([], {
        users: ['c', 'd', 'e'].map((name, n) => seat(name, [60, 30, 10][n])),
        distributionModel: 'percentage',
      }),
      step(['f', 'g', 'h', 'i']),
    ];
    const away = fc.array(fc.subarray([0, 1, 2]), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(away, (periods) => {
        const each = dispatcher(['a', 'b'], { steps });
        const counts = pools.map(({ names }) => names.map(() => 0));
        for (const out of periods) {
          each.users = each.users.map((one) => {
            const place = pools.findIndex(({ names }) => names.includes(one.email.slice(0, 1)));
            return { ...one, available: !out.includes(place) };
          });
          const decision = each.next();
          const place = [0, 1, 2].find((one) => !out.includes(one));
          expect(decision.assigned ? decision.step : null).toBe(place ?? null);
          if (!decision.assigned || place === undefined) continue;
          const { names, shares } = pools[place]!;
          const had = counts[place]!;
          had[names.indexOf(decision.user.slice(0, 1))]! += 1;
          const turns = had.reduce((sum, count) => sum + count, 0);
          const bound = 1 - 1 / (2 * names.length - 2);
          for (const [index, count] of had.entries()) {
            expect(Math.abs(count - turns * shares[index]!)).toBeLessThanOrEqual(bound + 1e-9);
          }
        }
      }),
      { numRuns: storm(200) },
    );
  });

  it('are left out by a rule that takes those of the router, begin a rule that lists nobody, and may be none [contract 8.1]', () => {
    const steps = [step(['c'])];
    const chosen = (values: Partial<RoutingRule>) => ({ rules: [rule(values)], steps });
    const own = { users: [seat('a')] };
    expect(shown(dispatcher(['b'], chosen(own), ['a']).next())).toBe('c 1');
    expect(shown(dispatcher(['b'], chosen({ ...own, steps: [] }), ['a']).next())).toBe('no_users_available');
    expect(shown(dispatcher(['b'], chosen({ steps: [step(['a'])] })).next())).toBe('a 1');
    expect(shown(dispatcher(['b'], chosen({})).next())).toBe('b 0');
    expect(shown(dispatcher([], chosen({})).next())).toBe('c 1');
    expect(shown(dispatcher([], { rules: [rule({ trigger: never })], steps }).next())).toBe('c 1');
  });

  it('may take the pool that they follow with its rotation, or list nobody any more [contract 8.1]', () => {
    const again = dispatcher(['a', 'b'], { steps: [step([])] });
    expect([again.take(3), [...again.states.keys()]]).toEqual(['a b a', ['']]);
    const gone = { ...step([]), listsNobody: true } as const;
    expect(shown(dispatcher(['a'], { steps: [gone, step(['b'])] }, ['a']).next())).toBe('b 2');
    expect(shown(dispatcher([], { steps: [gone] }, []).next())).toBe('no_users_available');
  });

  it('share the rotation of the pool that they take by its model, and count apart by another [contract 8.1]', () => {
    const shares = { users: [seat('a', 100), seat('b', 0)] };
    const taking = (values: Partial<RoutingStep>) => {
      const chosen = settings({ distributionModel: 'percentage', steps: [step([], values)] });
      const users = [user('a', { available: false }), user('b')];
      return new TestDispatcher(router({ ...shares, settings: chosen }), users);
    };
    const keys = (each: TestDispatcher) => each.router.plan?.stages.map(({ rotationKey }) => rotationKey);
    expect(keys(taking({}))).toEqual(['', '']);
    expect(keys(taking({ distributionModel: 'percentage' }))).toEqual(['', '']);
    expect(keys(taking({ rotationType: 'teams' }))).toEqual(['', '\tstep/1']);
    const apart = taking({ distributionModel: 'round robin' });
    expect([apart.take(2), [...apart.states.keys()]]).toEqual(['b b', ['\tstep/1']]);
  });

  it('take what they leave out from the rule, and those of the router from the router [contract 8.1]', () => {
    const shares = [seat('a', 0), seat('b', 100)];
    const percentage = { distributionModel: 'percentage' };
    const rules = [rule({ ...percentage, users: [seat('x', 100)], steps: [step([], { users: shares })] })];
    expect(shown(dispatcher([], { rules }, ['x']).next())).toBe('b 1');
    const inherited = { rules: [rule({ ...percentage, users: [seat('x', 100)] })], steps: [step(['a'])] };
    expect(shown(dispatcher([], inherited, ['x']).next())).toBe('a 1');
  });

  it('are all tried before working hours are waived, in the same order, and the backup comes last [contract 8.1]', () => {
    const steps = [step(['b']), step(['c'])];
    const each = dispatcher(['a'], { steps, ignoreWorkingHours: true, defaultUser: mail('c') });
    const nights = [{ days: ['sun' as const], start: '00:00', end: '01:00' }];
    each.users = each.users.map((one) => ({ ...one, workingHours: nights }));
    expect(shown(each.next())).toBe('a 0');
    each.users = each.users.map((one) => (one.email === mail('b') ? { ...one, workingHours: null } : one));
    expect(shown(each.next())).toBe('b 1');
    each.users = each.users.map((one) => ({ ...one, available: false }));
    expect(shown(each.next())).toBe('c null');
  });

  it('say in the trace which of them each pool and turn belongs to [contract 8.1]', () => {
    const { trace } = dispatcher(['a'], { steps: [step(['b']), step(['c'])] }, ['a', 'b']).next();
    const of = (kind: string) => trace.flatMap((each) => (each.step === kind ? [each] : []));
    expect(of('eligibility')).toMatchObject([
      { out: [{ users: [mail('a')] }] },
      { place: 1 },
      { place: 2, in: [mail('c')] },
    ]);
    expect(of('eligibility')[0]).not.toHaveProperty('place');
    expect(of('distribution')).toMatchObject([{ place: 2, chosen: mail('c') }]);
  });

  it('list in the trace only who was not out before, and count the others [contract 8.1]', () => {
    const steps = [
      ...Array.from({ length: 18 }, () => step(['a', 'b'])),
      step(['c', 'a'], { rotationType: 'teams' }),
      step(['a', 'd', 'c']),
    ];
    const { trace } = dispatcher(['a', 'b'], { steps }, ['a', 'b', 'c']).next();
    const [own, ...later] = trace.filter((each) => each.step === 'eligibility');
    const out = (...names: string[]) => [{ reasons: ['switched_off'], users: names.map(mail) }];
    expect(own).toEqual({ step: 'eligibility', in: [], out: out('a', 'b') });
    expect(later.slice(0, 18)).toEqual(
      steps.slice(0, 18).map((_, index) => ({ ...own, place: index + 1, out: [], listed_before: 2 })),
    );
    expect(later.slice(18)).toEqual([
      { ...own, place: 19, out: out('c'), listed_before: 1 },
      { ...own, place: 20, in: [mail('d')], out: [], listed_before: 2 },
    ]);
  });

  it('list again whoever is in without a share, and count each team of a later step by itself [contract 8.1]', () => {
    const team = (name: string, ...members: string[]) => ({
      name,
      members: members.map(mail),
      percentage: 50,
    });
    const shares = { users: [seat('a', 100), seat('b', 0)] };
    const teams = [team('X', 'a', 'c'), team('Y', 'c', 'b')];
    const chosen = settings({
      distributionModel: 'percentage',
      steps: [step([], { teams, rotationType: 'teams' })],
    });
    const users = [user('a', { available: false }), user('b'), user('c', { available: false })];
    const each = new TestDispatcher(router({ ...shares, settings: chosen }), users);
    const common = { step: 'eligibility', place: 1 };
    const out = [{ reasons: ['switched_off'], users: [mail('c')] }];
    expect(each.next().trace.filter(({ step: kind }) => kind === 'eligibility')).toEqual([
      { step: 'eligibility', in: [mail('b')], out: [{ ...out[0], users: [mail('a')] }] },
      { ...common, team: 'X', in: [], out, listed_before: 1 },
      { ...common, team: 'Y', in: [mail('b')], out },
    ]);
    expect(each.router.plan?.mostMembers).toBe(6);
  });

  it('keep their rotations by id, by name, or by place [contract 8.1]', () => {
    const steps = [step(['b'], { id: '1', name: 'B' }), step(['c'], { name: 'C' }), step(['d'])];
    const keys = (out: readonly string[], chosen: Partial<RouterSettings>) => {
      const each = dispatcher(['a'], chosen, out);
      each.next();
      return [...each.states.keys()];
    };
    expect(keys(['a'], { steps })).toEqual(['\tstep#1']);
    expect(keys(['a', 'b'], { steps })).toEqual(['\tstep:C']);
    expect(keys(['a', 'b', 'c'], { steps })).toEqual(['\tstep/3']);
    expect(keys(['a', 'x'], { rules: [rule({ users: [seat('x')], steps })] })).toEqual(['rule:All\tstep#1']);
  });
});

const never = { groups: [{ conditions: [{ field: 'first_name', operator: 'is_not_empty' }] }] };
