import { routerOf, stored } from '../../../test/units/configuration.js';
import { FakeDatabase } from '../../../test/units/fake-database.js';
import { timeOfId } from '../../database/index.js';
import type { NewOwner } from '../../records/index.js';
import { encodeRotationState, type RotationState } from '../../engine/index.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { writer } from '../../../test/units/test-runner.js';
import type { Decided, Decisions } from '../decision/decider.js';
import { assigned, REFUSED, snapshotOf } from '../../../test/units/decisions.js';
import { AssignmentHooks } from './assignment-hooks.js';
import type { Outcome } from './dispatch-result.js';

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

const moved = (seq: number): RotationState => ({ seq, ledgers: new Map() });

describe('what a dispatch writes', () => {
  const microseconds = 1_000_000_456;
  const at = new Date(1_000_000);
  const requestIds = new Map([
    ['b', 'request of b'],
    ['a', undefined],
  ]);
  const users = [user('ada'), user('bob'), user('old')];
  const snapshot = snapshotOf({ users, routers: [routerOf('R', ['ada'])] }, 'R');
  const decisions = (of = snapshot): Decisions => ({
    decided: [
      {
        snapshot: of,
        record: storedContact('b', { contact_owner: 'old@acme.test' }),
        decision: assigned('ada@acme.test', { turn: { rotationKey: 'rule:VIP', team: 'team:7' } }),
      },
      { snapshot: of, record: storedContact('a', { contact_owner: 'Nobody knows' }), decision: REFUSED },
      {
        snapshot: of,
        record: storedContact('c'),
        decision: assigned('bob@acme.test', { turn: null, rotation: null }),
      },
    ],
    changes: {
      rotations: [
        { routerId: 'R', key: '', state: moved(1) },
        { routerId: 'R', key: 'rule:VIP', state: moved(2) },
      ],
      returned: [],
      owed: [],
    },
  });
  /** @param commit without hooks */
  const write = (commit: boolean, of = snapshot): Promise<ReadonlyMap<string, Outcome>> => {
    const hooks = new AssignmentHooks();
    if (!commit) hooks.register({});
    return writer(hooks).write(database.tx, decisions(of), { microseconds, requestIds });
  };
  const sent = (): readonly unknown[] => database.sent[0]?.values ?? [];
  const owners = (): Record<string, NewOwner> =>
    Object.fromEntries(
      (sent()[4] as string[]).map((id, n) => [id, JSON.parse((sent()[3] as string[])[n] ?? '')]),
    );
  /** The rows of the arrays from a parameter on. */
  const rows = (first: number, names: string): Record<string, unknown>[] => {
    const columns = names.split(' ').map((name, n) => {
      const array = sent()[first - 1 + n];
      return [name, typeof array === 'string' ? JSON.parse(array) : array] as [string, unknown[]];
    });
    const count = columns[0]?.[1].length ?? 0;
    return Array.from({ length: count }, (_, n) =>
      Object.fromEntries(columns.map(([name, array]) => [name, array[n]])),
    );
  };
  const rotations = () => rows(6, 'router_id key state');
  const entries = () =>
    rows(
      9,
      'id router_id router_version rule step object_id user_id previous_user_id reason message rotation team',
    );
  const counts = () => rows(22, 'day router_id rule step user_id reason entries');

  it('is one statement, with ids of the log that sort as the decisions and begin with the time [contract 4]', async () => {
    const outcomes = [...(await write(false)).values()];
    const ids = outcomes.map((outcome) => outcome.ok && outcome.result.assignment_id);
    expect(entries().map(({ id }) => id)).toEqual(ids);
    expect(rows(21, 'trace')).toEqual(ids.map(() => ({ trace: [] })));
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(timeOfId(String(id))).toBe(1_000_000);
    expect(database.events).toEqual(['dispatch_write_assignments']);
    expect(sent().slice(0, 3)).toEqual(['acme', 'contacts', at]);
  });

  it('gives records owners, by the names that rows have, whose e-mail may have changed [contract 6]', async () => {
    const ada = user('ada', { storedAs: 'first@acme.test' });
    const renamed = snapshotOf({ users: [ada, user('bob')], routers: [routerOf('R', ['ada'])] }, 'R');
    const outcomes = await write(false, renamed);
    const assignmentOf = (id: string): unknown => {
      const outcome = outcomes.get(id);
      return outcome?.ok === true && outcome.result.assignment_id;
    };
    const date = { contact_owner_assigned_date: at.toISOString() };
    expect(owners()).toEqual({
      b: {
        fields: { contact_owner: 'first@acme.test', ...date },
        by: { kind: 'router', id: 'R', assignment: assignmentOf('b'), request: 'request of b' },
      },
      c: {
        fields: { contact_owner: 'bob@acme.test', ...date },
        by: { kind: 'router', id: 'R', assignment: assignmentOf('c') },
      },
    });
    expect(sent()[4]).toEqual(['b', 'c']);
  });

  it('has the COMMIT behind it where nothing comes after [contract 4]', async () => {
    await write(true);
    expect(database.events).toEqual(['dispatch_write_assignments', 'COMMIT']);
  });

  it('is an entry for each decision in order: who, who before, why, and by which turn [contract 6]', async () => {
    await write(false);
    const common = { router_id: 'R', router_version: 1, rule: null };
    expect(entries()).toEqual([
      {
        ...common,
        id: expect.any(String) as unknown,
        step: 0,
        object_id: 'b',
        user_id: user('ada').id,
        previous_user_id: user('old').id,
        reason: 'round_robin',
        message: 'The object was successfully assigned',
        rotation: 'rule:VIP',
        team: 'team:7',
      },
      {
        ...common,
        id: expect.any(String) as unknown,
        step: null,
        object_id: 'a',
        user_id: null,
        previous_user_id: null,
        reason: 'no_users_available',
        message: 'Nobody is available',
        rotation: null,
        team: null,
      },
      expect.objectContaining({ object_id: 'c', user_id: user('bob').id, rotation: null }),
    ]);
  });

  it('counts the entries of each kind by day and of all days [contract 6]', async () => {
    const { decided, changes } = decisions();
    const again = { ...decided[0], record: storedContact('d') } as Decided;
    const all = { decided: [...decided, again], changes };
    await writer().write(database.tx, all, { microseconds, requestIds });
    const assigned = { router_id: 'R', rule: '', step: 0, reason: 'round_robin' };
    const refused = {
      ...assigned,
      reason: 'no_users_available',
      user_id: '00000000-0000-0000-0000-000000000000',
    };
    const days = ['1970-01-01', 'infinity'];
    expect(counts()).toEqual([
      ...days.map((day) => ({ ...assigned, day, user_id: user('ada').id, entries: 2 })),
      ...days.map((day) => ({ ...refused, day, entries: 1 })),
      ...days.map((day) => ({ ...assigned, day, user_id: user('bob').id, entries: 1 })),
    ]);
  });

  it('is the state of each rotation that moved, by key [contract 4]', async () => {
    await write(false);
    expect(rotations()).toEqual([
      { router_id: 'R', key: '', state: encodeRotationState(moved(1), '') },
      { router_id: 'R', key: 'rule:VIP', state: encodeRotationState(moved(2), 'rule:VIP') },
    ]);
  });

  it("leaves the type's own owner alone where the router sets another field [contract 4]", async () => {
    const settings = stored({ ownerField: 'second_owner' });
    const other = snapshotOf({ users, routers: [routerOf('R', [], { settings })] }, 'R');
    await write(false, other);
    expect(Object.keys(owners()['b']?.fields ?? {})).toEqual(['second_owner', 'second_owner_assigned_date']);
    expect(entries()[0]?.['previous_user_id']).toBeNull();
  });

  it('is that of several routers, in the order of their decisions [contract 4]', async () => {
    const other = snapshotOf({ users, routers: [routerOf('S', ['ada'])] }, 'S');
    const { decided, changes } = decisions();
    const last: Decided = {
      snapshot: other,
      record: storedContact('d'),
      decision: assigned('ada@acme.test'),
    };
    const moves = [...changes.rotations, { routerId: 'S', key: '', state: moved(7) }];
    const all = { decided: [...decided, last], changes: { ...changes, rotations: moves } };
    await writer().write(database.tx, all, { microseconds, requestIds });
    expect(entries().map(({ router_id, object_id }) => [router_id, object_id])).toEqual([
      ['R', 'b'],
      ['R', 'a'],
      ['R', 'c'],
      ['S', 'd'],
    ]);
    expect(rotations().map(({ router_id, key }) => [router_id, key])).toEqual([
      ['R', ''],
      ['R', 'rule:VIP'],
      ['S', ''],
    ]);
  });

  it('has what the decisions take back, and the turns that rotations have got [contract 4]', async () => {
    const { decided, changes } = decisions();
    const returned = { ...changes, returned: ['other', 'entry', 'settled'], owed: ['entry'] };
    await writer().write(database.tx, { decided, changes: returned }, { microseconds, requestIds });
    expect(database.events).toEqual(['dispatch_write_and_return', 'COMMIT']);
    expect(sent().slice(28)).toEqual([['other', 'entry', 'settled'], ['entry']]);
  });

  it('is an entry without a user where the owner stays the same [contract 4]', async () => {
    const record = storedContact('b', { contact_owner: 'ada@acme.test' });
    const decision = assigned('ada@acme.test', { unchanged: true, reason: 'already_owner', turn: null });
    const all = { ...decisions(), decided: [{ snapshot, record, decision }] };
    await writer().write(database.tx, all, { microseconds, requestIds });
    expect(owners()).toEqual({});
    expect(entries()).toMatchObject([
      { user_id: null, previous_user_id: user('ada').id, reason: 'already_owner', rotation: null },
    ]);
  });

  it('says nothing of who changes records where changes are not kept [contract 7]', async () => {
    await writer(undefined, 'off').write(database.tx, decisions(), { microseconds, requestIds });
    expect(Object.values(owners()).map(({ by }) => by)).toEqual([{ kind: 'off' }, { kind: 'off' }]);
  });
});
