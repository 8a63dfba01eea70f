import { BUILTIN_MODELS } from '../../engine/models/models.js';
import type { RouterPool } from '../../engine/model/router-configuration.js';
import { router, settings } from '../../../test/units/engine-fixtures.js';
import { validateRouter } from './validate-router.js';

const users = (...percentages: (number | undefined)[]) =>
  percentages.map((percentage, index) => ({ email: `user${index}@acme.test`, percentage }));
const team = (name: string, percentage?: number) => ({ name, members: ['ada@acme.test'], percentage });
const paths = (pool: Partial<RouterPool>, distributionModel = 'percentage') =>
  validateRouter(router({ settings: settings({ distributionModel }), ...pool }), BUILTIN_MODELS).map(
    ({ field }) => field,
  );

describe('validateRouter', () => {
  it.each([
    [{ users: users(50, 50) }],
    [{ users: users(33.3333, 33.3333, 33.3334) }],
    [{ users: users(...Array.from({ length: 10 }, () => 0.1), 99) }],
    [{ users: users(100, 0) }],
    [{ users: users(60), teams: [team('Sales', 40)] }],
    [{ teams: [team('Sales', 70), team('Support', 30)] }],
    [{}],
  ])('accepts %j', (pool) => {
    expect(paths(pool)).toEqual([]);
  });

  it.each([
    [{ users: users(50, 49) }, ['users']],
    [{ users: users(50, 50.0001) }, ['users']],
    [{ users: users(0, 0) }, ['users']],
    [{ teams: [team('Sales', 99)] }, ['teams']],
    [{ users: users(50, undefined) }, ['users[1].percentage']],
    [{ users: users(100), teams: [team('Sales')] }, ['teams[0].percentage']],
  ])('refuses %j', (pool, expected) => {
    expect(paths(pool)).toEqual(expected);
  });

  it('asks for no percentages unless the model does', () => {
    expect(paths({ users: users(undefined, 20) }, 'round robin')).toEqual([]);
    expect(paths({ users: users(undefined, 20) }, 'gone')).toEqual([]);
    expect(validateRouter(router({ settings: null, users: users(undefined, 7) }), BUILTIN_MODELS)).toEqual(
      [],
    );
  });

  it('refuses who is listed twice, in any case', () => {
    const twice = [{ email: 'ada@acme.test' }, { email: 'bob@acme.test' }, { email: 'ADA@acme.test' }];
    expect(paths({ users: twice, teams: [team('Sales'), team('sales ')] }, 'round robin')).toEqual([
      'users[2].email',
      'teams[1].name',
    ]);
  });
});
