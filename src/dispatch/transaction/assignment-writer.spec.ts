import { routerOf, stored } from '../../../test/units/configuration.js';
import { FakeDatabase } from '../../../test/units/fake-database.js';
import { timeOfId } from '../../database/index.js';
import { encodeRotationState, type RotationState } from '../../engine/index.js';
import { user } from '../../../test/units/engine-fixtures.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { writer } from '../../../test/units/test-runner.js';
import type { Decided, Decisions } from '../decision/decider.js';
import { assigned, REFUSED, snapshotOf } from '../../../test/units/decisions.js';
import { AssignmentHooks } from './assignment-hooks.js';
import type { Outcome } from './run.js';

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
  const users = [user('ada'), user('bob')];
  const snapshot = snapshotOf({ users, routers: [routerOf('R', ['ada'])] }, 'R');
  const decisions = (of = snapshot): Decisions => ({
    decided: [
      {
        snapshot: of,
        record: storedContact('b', { contact_owner: 'old@acme.test' }),
        decision: assigned('ada@acme.test', { turn: { rotationKey: 'rule:VIP', team: 'team:7' } }),
      },
      { snapshot: of, record: storedContact('a'), decision: REFUSED },
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

  it('is one statement, with ids of the log that sort as the decisions and begin with the time [contract 4]', async () => {
    const outcomes = [...(await write(false)).values()];
    const ids = outcomes.map((outcome) => outcome.ok && outcome.result.assignment_id);
    const entries = JSON.parse(sent()[3] as string) as { id: string }[];
    expect(ids).toEqual(entries.map(({ id }) => id));
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(timeOfId(String(id))).toBe(1_000_000);
    expect(database.events).toEqual(['dispatch_write_assignments']);
    expect(sent().slice(0, 3)).toEqual(['acme', 'contacts', 'contact_owner']);
    expect(sent()[4]).toEqual(at);
  });

  it('names users as rows do, whose e-mail may have changed [contract 6]', async () => {
    const ada = user('ada', { storedAs: 'first@acme.test' });
    await write(false, snapshotOf({ users: [ada, user('bob')], routers: [routerOf('R', ['ada'])] }, 'R'));
    const [first] = JSON.parse(String(sent()[3])) as Record<string, unknown>[];
    expect(first).toMatchObject({ user: 'first@acme.test', previous_user: 'old@acme.test' });
  });

  it('has the COMMIT behind it where nothing comes after [contract 4]', async () => {
    await write(true);
    expect(database.events).toEqual(['dispatch_write_assignments', 'COMMIT']);
  });

  it('is an entry for each decision in order: who, who before, why, and by which turn [contract 6]', async () => {
    await write(false);
    expect(JSON.parse(sent()[3] as string)).toEqual([
      {
        id: expect.any(String) as unknown,
        router_id: 'R',
        router_version: 1,
        object_id: 'b',
        rule: null,
        step: 0,
        user_id: user('ada').id,
        user: 'ada@acme.test',
        previous_user: 'old@acme.test',
        reason: 'round_robin',
        message: 'The object was successfully assigned',
        trace: [],
        rotation: 'rule:VIP',
        team: 'team:7',
        by: { kind: 'router', id: 'R', request: 'request of b' },
      },
      {
        id: expect.any(String) as unknown,
        router_id: 'R',
        router_version: 1,
        object_id: 'a',
        rule: null,
        step: null,
        user_id: null,
        user: null,
        previous_user: null,
        reason: 'no_users_available',
        message: 'Nobody is available',
        trace: [],
        rotation: null,
        team: null,
        by: { kind: 'router', id: 'R' },
      },
      expect.objectContaining({ object_id: 'c', user: 'bob@acme.test', rotation: null }),
    ]);
  });

  it('is the state of each rotation that moved, by key [contract 4]', async () => {
    await write(false);
    expect(JSON.parse(sent()[5] as string)).toEqual([
      { router: 'R', key: '', state: encodeRotationState(moved(1), '') },
      { router: 'R', key: 'rule:VIP', state: encodeRotationState(moved(2), 'rule:VIP') },
    ]);
  });

  it("leaves the type's own owner alone where the router sets another field [contract 4]", async () => {
    const settings = stored({ ownerField: 'second_owner' });
    const other = snapshotOf({ users, routers: [routerOf('R', [], { settings })] }, 'R');
    await write(false, other);
    expect(sent()[2]).toBe('second_owner');
    expect(JSON.parse(sent()[3] as string)[0].previous_user).toBeNull();
  });

  it('is that of several routers, in the order of their decisions [contract 4]', async () => {
    const other = snapshotOf({ users, routers: [routerOf('S', ['ada'])] }, 'S');
    const { decided, changes } = decisions();
    const last: Decided = {
      snapshot: other,
      record: storedContact('d'),
      decision: assigned('ada@acme.test'),
    };
    const rotations = [...changes.rotations, { routerId: 'S', key: '', state: moved(7) }];
    const all = { decided: [...decided, last], changes: { ...changes, rotations } };
    await writer().write(database.tx, all, { microseconds, requestIds });
    const entries = JSON.parse(sent()[3] as string) as { router_id: string; object_id: string }[];
    expect(entries.map(({ router_id, object_id }) => [router_id, object_id])).toEqual([
      ['R', 'b'],
      ['R', 'a'],
      ['R', 'c'],
      ['S', 'd'],
    ]);
    const states = JSON.parse(sent()[5] as string) as { router: string; key: string }[];
    expect(states.map(({ router, key }) => [router, key])).toEqual([
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
    expect(sent().slice(6)).toEqual([['other', 'entry', 'settled'], ['entry']]);
  });

  it('is an entry without a user where the owner stays the same [contract 4]', async () => {
    const record = storedContact('b', { contact_owner: 'ada@acme.test' });
    const decision = assigned('ada@acme.test', { unchanged: true, reason: 'already_owner', turn: null });
    const all = { ...decisions(), decided: [{ snapshot, record, decision }] };
    await writer().write(database.tx, all, { microseconds, requestIds });
    expect(JSON.parse(sent()[3] as string)).toMatchObject([
      { user: null, previous_user: 'ada@acme.test', reason: 'already_owner', rotation: null },
    ]);
  });

  it('says nothing of who changes records where changes are not kept [contract 7]', async () => {
    await writer(undefined, 'off').write(database.tx, decisions(), { microseconds, requestIds });
    const entries = JSON.parse(sent()[3] as string) as { by: unknown }[];
    expect(entries.map(({ by }) => by)).toEqual([null, null, null]);
  });
});
