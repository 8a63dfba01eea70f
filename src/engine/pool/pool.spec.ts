import { compilePool } from './pool.js';

const team = (name: string, members: string[], percentage?: number) => ({
  id: `t-${name}`,
  name,
  members,
  percentage,
});
const users = (pool: Parameters<typeof compilePool>[0]) =>
  compilePool(pool, 'users').groups.flatMap(({ candidates }) => candidates);
const shares = (pool: Parameters<typeof compilePool>[0]) => {
  const candidates = users(pool);
  const total = candidates.reduce((sum, each) => sum + each.portion, 0n);
  return candidates.map((each) => [each.email, Number((each.portion * 1_000_000n) / total) / 10_000]);
};

describe('compilePool', () => {
  it('lists everyone once with turns by user, those listed directly first', () => {
    const pool = {
      users: [{ id: '1', email: 'Ada' }, { email: 'bob' }, { email: ' ADA' }],
      teams: [team('Sales', ['eve', 'BOB', 'eve']), team('Support', ['dan', 'eve'])],
    };
    expect(users(pool).map(({ id, email }) => [id, email])).toEqual([
      ['1', 'ada'],
      [null, 'bob'],
      [null, 'eve'],
      [null, 'dan'],
    ]);
  });

  it('divides the percentage of a team among those who are in the pool through it', () => {
    expect(
      shares({
        users: [{ email: 'ada', percentage: 40 }],
        teams: [team('Sales', ['ada', 'bob', 'eve', 'dan'], 30), team('Support', ['bob', 'fay', 'gus'], 30)],
      }),
    ).toEqual([
      ['ada', 40],
      ['bob', 10],
      ['eve', 10],
      ['dan', 10],
      ['fay', 15],
      ['gus', 15],
    ]);
    const candidates = users({
      users: [],
      teams: [team('A', ['a', 'b', 'c'], 33.3333), team('B', ['d'], 66.6667)],
    });
    expect(candidates.map(({ portion }) => portion)).toEqual([333_333n, 333_333n, 333_333n, 2_000_001n]);
  });

  it('counts a missing or unsound percentage as 0', () => {
    const percentages = [undefined, -5, NaN, Infinity, 0.0001];
    const pool = {
      users: percentages.map((percentage, index) => ({ email: `u${index}`, percentage })),
      teams: [],
    };
    expect(users(pool).map(({ portion }) => portion)).toEqual([0n, 0n, 0n, 0n, 1n]);
  });

  it('keeps teams together with turns by team, where a user may sit in several', () => {
    const pool = {
      users: [{ id: '1', email: 'ada', percentage: 25 }],
      teams: [
        team('Sales', ['ada', 'bob'], 75),
        { name: 'Support', members: [{ id: '2', email: 'BOB' }] },
        team('sales', ['eve']),
      ],
    };
    expect(compilePool(pool, 'teams')).toEqual({
      rotationType: 'teams',
      groups: [
        { key: null, name: '', portion: 1n, candidates: [{ id: '1', email: 'ada', portion: 250_000n }] },
        {
          key: 'team:t-Sales',
          name: 'Sales',
          portion: 750_000n,
          candidates: [
            { id: null, email: 'ada', portion: 1n },
            { id: null, email: 'bob', portion: 1n },
          ],
        },
        {
          key: 'team:support',
          name: 'Support',
          portion: 0n,
          candidates: [{ id: '2', email: 'bob', portion: 1n }],
        },
      ],
      emails: ['ada', 'bob'],
      members: 4,
    });
  });
});
