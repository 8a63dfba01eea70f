import { assignedInstants } from '../../../test/units/assigned-instants.js';
import type { AssignmentLimits, User } from '../../directory/user.js';
import type { RouterSettings } from '../model/router-configuration.js';
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
import type { LimitSpan } from '../../directory/user.js';
import type { Capacity, Workload } from '../model/workload.js';
import type { DecisionInput } from '../model/decision.js';

const work = (values: Partial<Record<LimitSpan, number>> = {}, open = 0): Workload => ({
  assigned: assignedInstants(values),
  owned: open,
  capacities: new Map([['Open', open]]),
});
const open = (...most: [name: string, max: number][]): Capacity => ({
  name: 'Open',
  objectType: 'contacts',
  field: 'region',
  values: ['emea'],
  maxByEmail: new Map(most.map(([name, max]) => [`${name}@acme.test`, max])),
});
const works = (ada: Workload, bob: Workload = work()) =>
  new Map([
    ['ada@acme.test', ada],
    ['bob@acme.test', bob],
  ]);
const pool = { users: [{ email: 'ada@acme.test' }, { email: 'bob@acme.test' }] };
const run = (given: Partial<DecisionInput>, chosen: Partial<RouterSettings> = {}) =>
  routeAndDecide(
    engine.compile(router({ ...pool, settings: settings(chosen) }), fields),
    input({ users: directory(user('ada'), user('bob'), user('eve')), ...given }),
  );
const limited = (limits: AssignmentLimits, values: Partial<User> = {}) => user('ada', { limits, ...values });
const out = (decision: ReturnType<typeof run>) =>
  decision.trace.flatMap((step) => (step.step === 'eligibility' ? step.out : []));

describe('limits', () => {
  it.each([
    [{ hour: 3 }, { hour: 2 }, []],
    [{ hour: 3 }, { hour: 3 }, ['hour_limit_reached']],
    [{ hour: 3 }, { hour: 4 }, ['hour_limit_reached']],
    [{ day: 5 }, { hour: 9, day: 4 }, []],
    [{ day: 0 }, {}, ['day_limit_reached']],
    [{ hour: 9, week: 5 }, { hour: 1, week: 5 }, ['week_limit_reached']],
    [
      { hour: 1, day: 2, week: 3, month: 4 },
      { hour: 1, day: 2, week: 3, month: 4 },
      ['hour_limit_reached', 'day_limit_reached', 'week_limit_reached', 'month_limit_reached'],
    ],
    [{ window: 'calendar' as const }, { hour: 99 }, []],
  ])('%j with %j assigned: %j', (limits, assigned, reasons) => {
    const users = directory(limited(limits), user('bob'));
    const decision = run({ users, workloads: works(work(assigned)) });
    expect(decision).toMatchObject({ user: reasons.length === 0 ? 'ada@acme.test' : 'bob@acme.test' });
    expect(out(decision)[0]?.reasons ?? []).toEqual(reasons);
  });

  it('are shown with what was counted', () => {
    const users = directory(limited({ hour: 3, day: 0 }), user('bob', { available: false }));
    expect(out(run({ users, workloads: works(work({ hour: 7 })) }))).toEqual([
      { reasons: ['hour_limit_reached', 'day_limit_reached'], users: ['ada@acme.test'], saw: ['7/3, 0/0'] },
      { reasons: ['switched_off'], users: ['bob@acme.test'] },
    ]);
  });

  it('hold for matched owners, too', () => {
    const given = {
      users: directory(limited({ hour: 1 }), user('bob')),
      workloads: works(work({ hour: 1 })),
      matchedOwner: { companyId: 'c1', host: 'acme.test', owner: 'ada@acme.test' },
    };
    expect(run(given, { accountMatching: true })).toMatchObject({ user: 'bob@acme.test' });
    const assign = run(given, { accountMatching: true, accountMatchingUnavailableOwner: 'assign' });
    expect(assign).toMatchObject({ user: 'ada@acme.test', reason: 'account_matched', turn: null });
    expect(assign.trace.at(-1)).toMatchObject({ outcome: 'assigned', reasons: ['hour_limit_reached'] });
    const gone = { ...given, users: directory(user('bob')) };
    expect(run(gone, { accountMatching: true, accountMatchingUnavailableOwner: 'assign' })).toMatchObject({
      user: 'bob@acme.test',
      reason: 'round_robin',
    });
  });

  it('make no owner unavailable', () => {
    const given = {
      users: directory(limited({ hour: 0 }), user('bob')),
      record: contact({ contact_owner: 'ada@acme.test' }),
    };
    expect(run(given, { overwriteIfUnavailable: true })).toMatchObject({ reason: 'owner_present' });
    const off = { ...given, users: directory(limited({ hour: 0 }, { available: false }), user('bob')) };
    expect(run(off, { overwriteIfUnavailable: true }).trace[1]).toMatchObject({
      unavailable: ['switched_off'],
    });
  });
});

describe('capacities', () => {
  const emea = { record: contact({ region: 'emea' }) };

  it('keep out who has as many as may be, for records that count only', () => {
    const given = { capacities: [open(['ada', 2])], workloads: works(work({}, 2), work({}, 99)) };
    const full = run({ ...given, ...emea });
    expect(full).toMatchObject({ user: 'bob@acme.test' });
    expect(out(full)).toEqual([
      { reasons: ['capacity_reached'], users: ['ada@acme.test'], saw: ['Open 2/2'] },
    ]);
    expect(run({ ...given, record: contact({ region: 'apac' }) })).toMatchObject({ user: 'ada@acme.test' });
    expect(run({ ...given, ...emea, workloads: works(work({}, 1)) })).toMatchObject({
      user: 'ada@acme.test',
    });
  });

  it('keep out who may have none', () => {
    expect(run({ ...emea, capacities: [open(['ada', 0])] })).toMatchObject({ user: 'bob@acme.test' });
  });

  it('do not count the record itself against its owner', () => {
    const record = contact({ region: 'emea', contact_owner: 'ada@acme.test' });
    const given = { record, capacities: [open(['ada', 2], ['bob', 0])], workloads: works(work({}, 2)) };
    expect(run(given, { overwrite: true })).toMatchObject({ user: 'ada@acme.test' });
  });
});

describe('with no room left', () => {
  const full = { users: directory(limited({ day: 0 }), user('bob', { limits: { week: 0 } }), user('eve')) };
  const nights = { workingHours: [{ days: ['wed'] as const, start: '20:00', end: '23:00' }] };

  it('nobody gets the record, which says so', () => {
    expect(run(full)).toMatchObject({
      assigned: false,
      reason: 'assignment_limit_reached',
      message: 'Assignment limit reached',
    });
  });

  it('the backup user gets it, but only if enabled', () => {
    expect(run(full, { defaultUser: 'eve@acme.test' })).toMatchObject({ reason: 'default_user' });
    expect(run(full, { defaultUser: 'eve@acme.test', disableDefaultAssignment: true })).toMatchObject({
      reason: 'assignment_limit_reached',
    });
    expect(run(full, { defaultUser: 'gone@acme.test' })).toMatchObject({
      reason: 'assignment_limit_reached',
    });
  });

  it('one who is kept out by nothing else is enough', () => {
    const users = directory(limited({ day: 0 }), user('bob', { available: false }));
    expect(run({ users })).toMatchObject({ reason: 'assignment_limit_reached' });
    const away = directory(limited({ day: 0 }, { available: false }), user('bob', nights));
    expect(run({ users: away })).toMatchObject({ reason: 'no_users_available' });
  });

  it('working hours are ignored only where everyone available is outside, and never limits', () => {
    const ignore = { ignoreWorkingHours: true };
    const inside = directory(limited({ day: 0 }), user('bob', nights));
    expect(run({ users: inside }, ignore)).toMatchObject({ reason: 'assignment_limit_reached' });
    const outside = directory(limited({ day: 0 }, nights), user('bob', nights));
    expect(run({ users: outside }, ignore)).toMatchObject({ user: 'bob@acme.test' });
    const outsideAndFull = directory(limited({ day: 0 }, nights), user('bob', { available: false }));
    expect(run({ users: outsideAndFull }, ignore)).toMatchObject({ reason: 'assignment_limit_reached' });
    expect(run({ users: outsideAndFull })).toMatchObject({ reason: 'no_users_available' });
  });

  it('those without a share do not count', () => {
    const shares = {
      users: [
        { email: 'ada@acme.test', percentage: 0 },
        { email: 'bob@acme.test', percentage: 100 },
      ],
    };
    const compile = (chosen: Partial<RouterSettings>) =>
      engine.compile(
        router({ ...shares, settings: settings({ distributionModel: 'percentage', ...chosen }) }),
        fields,
      );
    const users = directory(limited({ day: 0 }), user('bob', { available: false }));
    expect(routeAndDecide(compile({}), input({ users }))).toMatchObject({ reason: 'no_users_available' });
    const bobOutside = directory(user('ada'), user('bob', nights));
    expect(routeAndDecide(compile({ ignoreWorkingHours: true }), input({ users: bobOutside }))).toMatchObject(
      {
        user: 'bob@acme.test',
      },
    );
  });
});
