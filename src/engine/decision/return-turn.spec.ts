import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import type { RouterConfiguration } from '../model/router-configuration.js';
import { TestDispatcher } from '../../../test/units/test-dispatcher.js';
import { router, settings, user } from '../../../test/units/engine-fixtures.js';
import { CREDIT_UNIT, creditToNumber } from '../ledger/credit.js';
import { returnTurn, type ReturnedTurn } from './return-turn.js';

const seat = (name: string, percentage?: number) => ({
  id: `id-${name}`,
  email: `${name}@acme.test`,
  percentage,
});
const names = ['ada', 'bob', 'eve', 'dan', 'fay', 'gus'];
const everyone = [...names, 'out'].map((name) => user(name));
const directory = new Map(everyone.map((each) => [each.email, each]));
const email = (name: string) => `${name}@acme.test`;

/** Moves a record from one user of a dispatcher to another. */
function move(
  dispatcher: TestDispatcher,
  oldOwner: string,
  newOwner: string | null,
  values: Partial<ReturnedTurn> = {},
) {
  const moved = {
    rotationKey: '',
    oldOwner: email(oldOwner),
    newOwner: newOwner && email(newOwner),
    ...values,
  };
  const before = dispatcher.states.get(moved.rotationKey) ?? { seq: 0, ledgers: new Map() };
  const after = returnTurn(dispatcher.router, moved, { rotation: before, users: directory });
  dispatcher.states.set(moved.rotationKey, after);
  return { before, after };
}
const credits = (dispatcher: TestDispatcher, name = 'users', rotationKey = '') =>
  [...(dispatcher.states.get(rotationKey)?.ledgers.get(name) ?? [])].map(([key, { credit }]) => [
    key,
    creditToNumber(credit),
  ]);
const sums = (dispatcher: TestDispatcher) =>
  [...dispatcher.states.values()].flatMap(({ ledgers }) =>
    [...ledgers.values()].map((rotation) =>
      [...rotation.values()].reduce((sum, { credit }) => sum + credit, 0n),
    ),
  );
const dispatcher = (values: Partial<RouterConfiguration> = {}) =>
  new TestDispatcher(router({ users: [seat('ada'), seat('bob'), seat('eve')], ...values }), everyone);

describe('a record that changes hands', () => {
  it('is owed to the old owner, who is next, and charged to the new one', () => {
    const own = dispatcher();
    expect(own.take(1)).toBe('ada');
    move(own, 'ada', 'bob');
    expect(credits(own)).toEqual([
      ['id-ada', 0.333333],
      ['id-bob', -0.666667],
      ['id-eve', 0.333333],
    ]);
    expect(own.take(5)).toBe('ada eve bob ada eve');
  });

  it('is a turn of the new owner, who comes behind a newcomer of the same credit [contract 4]', () => {
    const own = dispatcher({ users: [seat('ada'), seat('bob')] });
    expect(own.take(1)).toBe('ada');
    move(own, 'ada', 'bob');
    expect(own.take(1)).toBe('ada');
    own.config = { ...own.config, users: [seat('ada'), seat('bob'), seat('eve')] };
    // All three are owed nothing. Bob is listed first of those whom the engine gave no turn.
    expect(own.take(1)).toBe('eve');
  });

  it('counts as never given where the new owner is none of the pool', () => {
    for (const outsider of ['out', null]) {
      const own = dispatcher();
      own.take(1);
      move(own, 'ada', outsider);
      expect(credits(own)).toEqual([
        ['id-ada', 0],
        ['id-bob', 0],
        ['id-eve', 0],
      ]);
      expect(own.take(3)).toBe('ada bob eve');
    }
  });

  it('is charged to all in proportion to their shares', () => {
    const users = [seat('ada', 50), seat('bob', 40), seat('eve', 10), seat('dan', 0)];
    const own = dispatcher({ users, settings: settings({ distributionModel: 'percentage' }) });
    expect(own.take(1)).toBe('ada');
    move(own, 'ada', 'out');
    expect(credits(own)).toEqual([
      ['id-ada', 0],
      ['id-bob', 0],
      ['id-eve', 0],
      ['id-dan', 0],
    ]);
    // A member without a share never gets a turn that could be charged.
    move(own, 'ada', 'dan');
    expect(credits(own).at(-1)).toEqual(['id-dan', 0]);
    expect(sums(own)).toEqual([0n]);
  });

  it.each([
    ['the old owner left the pool', 'out', 'bob', {}],
    ['nobody assigned it', 'ada', 'ada', {}],
    ['the rule is gone', 'ada', 'bob', { rotationKey: 'rule:Gone' }],
  ])('changes nothing where %s', (_name, oldOwner, newOwner, values) => {
    const own = dispatcher();
    own.take(2);
    const { before, after } = move(own, oldOwner, newOwner, values);
    expect(after).toBe(before);
  });

  it('changes nothing for a pool of one, a model without credit, and a rotation that never turned', () => {
    const alone = dispatcher({ users: [seat('ada')] });
    alone.take(1);
    const one = move(alone, 'ada', 'out');
    expect(one.after).toEqual(one.before);
    const balanced = dispatcher({ settings: settings({ distributionModel: 'load balanced' }) });
    balanced.take(1);
    const { before, after } = move(balanced, 'ada', 'bob');
    expect(after).toBe(before);
    const fresh = move(dispatcher(), 'ada', 'bob');
    expect(fresh.after).toEqual(fresh.before);
  });

  it('counts in the rotation of the rule that gave the turn', () => {
    const rules = ['A', 'B'].map((name) => ({
      name,
      trigger: { groups: [{ conditions: [{ field: 'first_name', operator: 'eq', value: name }] }] },
      users: [],
      teams: [],
      distributionModel: null,
      rotationType: null,
    }));
    const own = dispatcher({ settings: settings({ rules }) });
    const [a, b] = [{ first_name: 'A' }, { first_name: 'B' }];
    expect([own.take(1, a), own.take(1, b)]).toEqual(['ada', 'ada']);
    move(own, 'ada', 'bob', { rotationKey: 'rule:A' });
    expect([own.take(2, a), own.take(2, b)]).toEqual(['ada eve', 'bob eve']);
  });

  describe('with turns by team', () => {
    const teams = [
      { id: 'a', name: 'A', members: [seat('ada'), seat('bob')] },
      { id: 'b', name: 'B', members: [seat('eve'), seat('dan')] },
    ];
    const byTeam = () =>
      dispatcher({ users: [seat('fay')], teams, settings: settings({ rotationType: 'teams' }) });

    it('stays within the team where both are in it', () => {
      const own = byTeam();
      expect(own.take(3)).toBe('fay ada eve');
      move(own, 'ada', 'bob', { team: 'team:a' });
      expect(credits(own, 'teams')).toEqual([
        ['id-fay', 0],
        ['team:a', 0],
        ['team:b', 0],
      ]);
      expect(credits(own, 'team:a')).toEqual([
        ['id-ada', 0.5],
        ['id-bob', -0.5],
      ]);
      expect(own.take(3)).toBe('fay ada dan');
    });

    it('stays within the team that gave the turn where both are in it, in others or not [contract 4]', () => {
      const shared = [
        { id: 'a', name: 'A', members: [seat('bob'), seat('eve')] },
        { id: 'b', name: 'B', members: [seat('ada'), seat('bob')] },
      ];
      const own = dispatcher({ users: [], teams: shared, settings: settings({ rotationType: 'teams' }) });
      expect(own.take(2)).toBe('bob ada');
      move(own, 'ada', 'bob', { team: 'team:b' });
      expect(credits(own, 'teams')).toEqual([
        ['team:a', 0],
        ['team:b', 0],
      ]);
      expect(credits(own, 'team:b')).toEqual([
        ['id-ada', 0.5],
        ['id-bob', -0.5],
      ]);
    });

    it('counts among the teams and in both of them where it goes to another', () => {
      const own = byTeam();
      own.take(3);
      move(own, 'ada', 'dan', { team: 'team:a' });
      expect(credits(own, 'teams')).toEqual([
        ['id-fay', 0],
        ['team:a', 1],
        ['team:b', -1],
      ]);
      expect(credits(own, 'team:a')).toEqual([
        ['id-ada', 0],
        ['id-bob', 0],
      ]);
      expect(credits(own, 'team:b')).toEqual([
        ['id-eve', 0],
        ['id-dan', 0],
      ]);
      expect(own.take(1)).toBe('ada');
    });

    it('counts for those listed directly, and for outsiders', () => {
      const own = byTeam();
      own.take(3);
      move(own, 'fay', 'ada', { team: null });
      expect(credits(own, 'teams')[0]).toEqual(['id-fay', 1]);
      expect(own.take(1)).toBe('fay');
      move(own, 'eve', 'out');
      expect(sums(own)).toEqual([0n, 0n, 0n]);
      expect(own.take(1)).toBe('eve');
    });
  });
});

describe('any record that changes hands', () => {
  const plan = fc.record({
    size: fc.integer({ min: 2, max: 6 }),
    turns: fc.integer({ min: 1, max: 30 }),
    to: fc.integer({ min: 0, max: 6 }),
    rotationType: fc.constantFrom('users' as const, 'teams' as const),
  });

  it('leaves credits that sum to 0, and the old owner next among equals', () => {
    fc.assert(
      fc.property(plan, ({ size, turns, to, rotationType }) => {
        const pool = names.slice(0, size);
        const own = dispatcher({
          users: pool.map((name) => seat(name)),
          settings: settings({ rotationType }),
        });
        const oldOwner = own.take(turns).split(' ').at(-1)!;
        const newOwner = [...pool, 'out'][to % (size + 1)]!;
        move(own, oldOwner, newOwner);
        expect(sums(own)).toEqual([0n]);
        if (newOwner !== oldOwner) expect(own.take(1)).toBe(oldOwner);
      }),
    );
  });

  it('keeps everyone within two assignments of a fair share however often it happens', () => {
    const step = fc.record({ to: fc.integer({ min: 0, max: 6 }), moves: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
        const pool = names.slice(0, size);
        const own = dispatcher({ users: pool.map((name) => seat(name)) });
        for (const { to, moves } of steps) {
          const oldOwner = own.take(1);
          if (moves) move(own, oldOwner, pool[to % size]!);
        }
        own.take(4 * size);
        expect(sums(own)).toEqual(own.states.size === 0 ? [] : [0n]);
        for (const { credit } of own.states.get('')?.ledgers.get('users')?.values() ?? []) {
          expect(credit < 2n * CREDIT_UNIT && credit > -2n * CREDIT_UNIT).toBe(true);
        }
      }),
      { numRuns: storm(50, 10) },
    );
  });
});
