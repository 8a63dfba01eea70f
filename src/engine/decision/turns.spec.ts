import fc from 'fast-check';
import { storm } from '../../../test/support/storm.js';
import type { User } from '../../directory/user.js';
import { decodeRotationState, encodeRotationState } from '../ledger/rotation-codec.js';
import { EMPTY_ROTATION_STATE, type RotationState } from '../model/rotation.js';
import type { RouterConfiguration } from '../model/router-configuration.js';
import {
  engine,
  fields,
  input,
  routeAndDecide,
  router,
  settings,
  user,
} from '../../../test/units/engine-fixtures.js';

/** A router that dispatches one record after another and stores its rotation state as a database does. */
class Dispatcher {
  state: RotationState = EMPTY_ROTATION_STATE;

  constructor(
    public config: RouterConfiguration,
    public users: readonly User[],
    private readonly restart = false,
  ) {}

  /** The name of the user who gets the next record; undefined for nobody. */
  next(): string | undefined {
    const users = new Map(this.users.map((each) => [each.email, each]));
    const decision = routeAndDecide(
      engine.compile(this.config, fields),
      input({ users, rotation: this.state }),
    );
    if (!decision.assigned) return undefined;
    const moved = decision.rotation ?? this.state;
    this.state = this.restart
      ? decodeRotationState(JSON.parse(JSON.stringify(encodeRotationState(moved, ''))), '')
      : moved;
    return decision.user.split('@')[0];
  }

  take(count: number): string {
    return Array.from({ length: count }, () => this.next() ?? '-').join(' ');
  }
}

const off = { available: false };
const seat = (name: string, percentage?: number) => ({
  id: `id-${name}`,
  email: `${name}@acme.test`,
  percentage,
});
const byTeam = settings({ rotationType: 'teams' });

describe('turns by user', () => {
  const config = router({
    users: [seat('ada'), seat('bob')],
    teams: [{ name: 'Sales', members: ['bob@acme.test', 'eve@acme.test'] }],
  });
  const [ada, bob, eve] = [user('ada'), user('bob'), user('eve')];

  it('go round once for everyone in the pool, in the configured order', () => {
    expect(new Dispatcher(config, [eve, bob, ada]).take(7)).toBe('ada bob eve ada bob eve ada');
  });

  it('pass over who is out, who then gets the next fair turns and no run', () => {
    const dispatcher = new Dispatcher(config, [ada, user('bob', off), eve]);
    expect(dispatcher.take(40)).not.toContain('bob');
    dispatcher.users = [ada, bob, eve];
    expect(
      dispatcher
        .take(6)
        .split(' ')
        .filter((name) => name === 'bob'),
    ).toHaveLength(2);
  });

  it('survive a new e-mail address', () => {
    const dispatcher = new Dispatcher(config, [ada, bob, eve]);
    dispatcher.take(4);
    const ann = { ...ada, email: 'ann@acme.test' };
    dispatcher.config = { ...config, users: [{ id: 'id-ada', email: 'ann@acme.test' }, seat('bob')] };
    dispatcher.users = [ann, bob, eve];
    expect(dispatcher.take(3)).toBe('bob eve ann');
  });

  it('follow percentages, exactly over a hundred', () => {
    const users = [seat('ada', 61.5), seat('bob', 0), seat('eve', 38.5)];
    const shares = settings({ distributionModel: 'percentage' });
    const taken = new Dispatcher(router({ users, settings: shares }), [ada, bob, eve]).take(200).split(' ');
    expect(['ada', 'bob', 'eve'].map((name) => taken.filter((each) => each === name).length)).toEqual([
      123, 0, 77,
    ]);
  });

  it('go on undisturbed when shares change', () => {
    const shares = settings({ distributionModel: 'percentage' });
    const dispatcher = new Dispatcher(
      router({ users: [seat('ada', 50), seat('eve', 50)], settings: shares }),
      [ada, eve],
    );
    expect(dispatcher.take(3)).toBe('ada eve ada');
    const before = dispatcher.state;
    dispatcher.config = router({ users: [seat('ada', 90), seat('eve', 10)], settings: shares });
    expect(dispatcher.state).toBe(before);
    expect(
      dispatcher
        .take(10)
        .split(' ')
        .filter((name) => name === 'eve').length,
    ).toBeLessThanOrEqual(2);
  });
});

describe('turns by team', () => {
  const sales = { id: 'sales', name: 'Sales', members: ['a1', 'a2', 'a3'].map((name) => seat(name)) };
  const support = { id: 'support', name: 'Support', members: ['b1', 'b2'].map((name) => seat(name)) };
  const config = router({ settings: byTeam, users: [seat('solo')], teams: [sales, support] });
  const everyone = ['solo', 'a1', 'a2', 'a3', 'b1', 'b2'].map((name) => user(name));
  const without = (...names: string[]) =>
    everyone.map((each) => (names.includes(each.email.split('@')[0]!) ? { ...each, ...off } : each));

  it('go team by team, then by member; a user listed directly is a team of one', () => {
    expect(new Dispatcher(config, everyone).take(12)).toBe('solo a1 b1 solo a2 b2 solo a3 b1 solo a1 b2');
  });

  it('pass over a team with nobody eligible, which keeps its place', () => {
    const dispatcher = new Dispatcher(config, without('b1', 'b2'));
    expect(dispatcher.take(5)).toBe('solo a1 solo a2 solo');
    dispatcher.users = everyone;
    expect(
      dispatcher
        .take(6)
        .split(' ')
        .filter((name) => name.startsWith('b')).length,
    ).toBe(2);
  });

  it('survive a new name of the team, and end with it', () => {
    const dispatcher = new Dispatcher(config, everyone);
    dispatcher.take(4);
    dispatcher.config = { ...config, teams: [{ ...sales, name: 'Field sales' }, support] };
    expect(dispatcher.take(2)).toBe('a2 b2');
    expect([...dispatcher.state.ledgers.keys()]).toEqual(['teams', 'team:sales', 'team:support']);
    dispatcher.config = { ...config, teams: [support] };
    dispatcher.take(1);
    expect([...dispatcher.state.ledgers.keys()]).toEqual(['teams', 'team:support']);
  });

  it('follow the percentages of teams, and are equal within them', () => {
    const shares = settings({ rotationType: 'teams', distributionModel: 'percentage' });
    const teams = [
      { ...sales, percentage: 60 },
      { ...support, percentage: 40 },
    ];
    const taken = new Dispatcher(router({ settings: shares, teams }), everyone).take(300).split(' ');
    const count = (name: string) => taken.filter((each) => each === name).length;
    expect(['a1', 'a2', 'a3', 'b1', 'b2', 'solo'].map(count)).toEqual([60, 60, 60, 60, 60, 0]);
  });

  it('leave the rotation of the users where it was when the rotation type changes', () => {
    const dispatcher = new Dispatcher({ ...config, settings: settings() }, everyone);
    dispatcher.take(3);
    const users = dispatcher.state.ledgers.get('users');
    dispatcher.config = config;
    dispatcher.take(3);
    expect(dispatcher.state.ledgers.get('users')).toBe(users);
    expect(dispatcher.state.seq).toBe(6);
  });
});

describe('any router', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const plan = fc.record({
    direct: fc.subarray(names),
    teams: fc.array(fc.subarray(names), { maxLength: 3 }),
    rotationType: fc.constantFrom('users' as const, 'teams' as const),
    days: fc.array(fc.subarray(names, { minLength: 1 }), { minLength: 1, maxLength: 6 }),
  });
  const dispatcherOf = (
    { direct, teams, rotationType }: { direct: string[]; teams: string[][]; rotationType: 'users' | 'teams' },
    restart: boolean,
  ) =>
    new Dispatcher(
      router({
        settings: settings({ rotationType }),
        users: direct.map((name) => seat(name)),
        teams: teams.map((members, index) => ({
          name: `Team ${index}`,
          members: members.map((name) => `${name}@acme.test`),
        })),
      }),
      [],
      restart,
    );

  it('goes on after a restart as if there had been none, and never assigns who is out', () => {
    fc.assert(
      fc.property(plan, (given) => {
        const steady = dispatcherOf(given, false);
        const restarted = dispatcherOf(given, true);
        for (const day of given.days) {
          const users = names.map((name) => user(name, { available: day.includes(name) }));
          for (const dispatcher of [steady, restarted]) dispatcher.users = users;
          const taken = steady.take(10).split(' ');
          expect(restarted.take(10).split(' ')).toEqual(taken);
          for (const name of taken) {
            const listed = given.direct.includes(name) || given.teams.some((team) => team.includes(name));
            expect(name === '-' || (listed && day.includes(name))).toBe(true);
          }
        }
        for (const rotation of restarted.state.ledgers.values()) {
          expect([...rotation.values()].reduce((sum, member) => sum + member.credit, 0n)).toBe(0n);
        }
      }),
      { numRuns: storm(60, 10) },
    );
  });
});
