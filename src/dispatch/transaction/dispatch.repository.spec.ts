import { LogGrowth } from '../../assignments/index.js';
import { FakeDatabase } from '../../database/testing/fake-database.js';
import { encodeRotationState, type RotationState } from '../../engine/index.js';
import { user } from '../../engine/testing/fixtures.js';
import { routerOf, stored } from '../../configuration/testing/configuration.js';
import { storedContact } from '../../records/testing/stored-contact.js';
import type { Decisions } from '../decision/decider.js';
import { ACME, assigned, REFUSED, snapshotOf } from '../testing/decisions.js';
import { DispatchRepository } from './dispatch.repository.js';

const PART = 8 * 1024 * 1024;

const KEYS = { routerId: 'R', objectIds: ['a', 'b', 'c'], unread: ['notes'] };

let database: FakeDatabase;
let growth: LogGrowth;
let dispatches: DispatchRepository;
beforeEach(() => {
  database = new FakeDatabase();
  growth = new LogGrowth();
  dispatches = new DispatchRepository(growth);
});

const after = (milliseconds: number): Date => new Date(1_000_000 + milliseconds);
const moved = (seq: number): RotationState => ({ seq, ledgers: new Map() });
const encoded = (seq: number): unknown => encodeRotationState(moved(seq), '');
const NO_RECORD = {
  id: null,
  object_type: null,
  fields: null,
  archived_at: null,
  archived_by: null,
  created_at: null,
  updated_at: null,
};
const row = (record: object, at: number, rotation: unknown = null): object => ({
  config_version: '7',
  ...record,
  rotation,
  at: after(at),
});

describe.each([
  ['read and locked', 'dispatch_read_part_and_lock', 'readAndLock', 'dispatch_read_and_lock'],
  ['only read', 'dispatch_read_only_part', 'readOnly', 'dispatch_read_only'],
] as const)('what is decided on, %s', (_, name, method, whole) => {
  const read = (...rows: object[]): ReturnType<DispatchRepository[typeof method]> => {
    database.answer(name, rows);
    return dispatches[method](database.tx, ACME, KEYS);
  };

  it('is asked for by account, records and router [5.3]', async () => {
    await read();
    expect(database.sent).toEqual([
      { name, values: ['acme', ['a', 'b', 'c'], 'R', Math.floor(PART / 3), ['notes']] },
    ]);
  });

  it('is undefined for an account that does not exist', async () => {
    expect(await read()).toBeUndefined();
  });

  it('is the records that exist, the version, and the rotation of the one row that has it [contract 4]', async () => {
    const rows = await read(
      row(storedContact('a'), 0, encoded(3)),
      row(storedContact('b'), 0),
      row(storedContact('c'), 0),
    );
    expect(rows?.version).toBe('7');
    expect(rows?.rotation.seq).toBe(3);
    expect([...(rows?.records ?? [])]).toEqual(['a', 'b', 'c'].map((id) => [id, storedContact(id)]));
    expect(rows?.objectIds).toEqual(KEYS.objectIds);
  });

  it.each([[['a']], [[]]])(
    'is all of a single record, however large it is: %j [contract 4]',
    async (objectIds) => {
      database.answer(name, [row(NO_RECORD, 0)]);
      await dispatches[method](database.tx, ACME, { ...KEYS, objectIds });
      expect(database.sent).toEqual([{ name, values: ['acme', objectIds, 'R', 2_147_483_647, ['notes']] }]);
    },
  );

  it('is read without a bound where one record is read as it is [contract 4]', async () => {
    database.answer(whole, [row(storedContact('a'), 0)]);
    const rows = await dispatches[method](database.tx, ACME, { ...KEYS, objectIds: ['a'], unread: [] });
    expect(database.sent).toEqual([{ name: whole, values: ['acme', ['a'], 'R'] }]);
    expect([...(rows?.records.keys() ?? [])]).toEqual(['a']);
  });

  it('is read by a second statement where records are large [contract 4]', async () => {
    database.answer('dispatch_read_large', [{ id: 'c', fields: { first_name: 'Large' } }]);
    const rows = await read(
      row(storedContact('a'), 0, encoded(3)),
      row(storedContact('b'), 0),
      row({ ...storedContact('c'), fields: null }, 9),
    );
    expect(database.sent[1]).toEqual({
      name: 'dispatch_read_large',
      values: ['acme', ['c'], PART, ['notes']],
    });
    expect(rows?.objectIds).toEqual(['a', 'b', 'c']);
    expect(rows?.records.get('b')).toEqual(storedContact('b'));
    expect(rows?.records.get('c')).toEqual(storedContact('c', { first_name: 'Large' }));
    expect(rows?.rotation.seq).toBe(3);
    expect(rows?.at).toEqual(after(9));
  });

  it.each([
    [
      'was read without fields',
      [
        { id: 'c', fields: { first_name: 'Large' } },
        { id: 'a', fields: null },
      ],
    ],
    ['was not read', [{ id: 'c', fields: { first_name: 'Large' } }]],
  ])(
    'is what comes before the first record that %s, in the order asked for [contract 4]',
    async (_, read) => {
      database.answer('dispatch_read_large', read);
      database.answer(name, [
        row({ ...storedContact('a'), fields: null }, 0),
        row(storedContact('b'), 0),
        row({ ...storedContact('c'), fields: null }, 0),
        row(storedContact('d'), 0),
      ]);
      const objectIds = ['c', 'b', 'unknown', 'a', 'd'];
      const rows = await dispatches[method](database.tx, ACME, { ...KEYS, objectIds });
      expect(database.sent[1]?.values).toEqual(['acme', ['c', 'a'], PART, ['notes']]);
      expect(rows?.objectIds).toEqual(['c', 'b', 'unknown']);
      expect(rows?.records.has('a')).toBe(false);
    },
  );

  it('may have its rotation in any row', async () => {
    const rows = await read(row(storedContact('a'), 0), row(storedContact('b'), 0, encoded(3)));
    expect(rows?.rotation.seq).toBe(3);
  });

  it('is a rotation that gave no turn, and no records, where there are none', async () => {
    const rows = await read(row(NO_RECORD, 0));
    expect(rows?.records.size).toBe(0);
    expect(rows?.rotation).toEqual({ seq: 0, ledgers: new Map() });
  });

  it.each([
    ['first', [9, 5, 2]],
    ['second', [2, 9, 5]],
    ['last', [2, 5, 9]],
  ])('has the latest clock, also that of the %s record [2.5, contract 4]', async (_row, clocks) => {
    const rows = await read(...clocks.map((at, n) => row(storedContact(`r${n}`), at)));
    expect(rows?.at).toEqual(after(9));
  });
});

describe('the locks of a dispatch', () => {
  it('are those of the account with its router, and of its users [contract 4]', async () => {
    await dispatches.lockRouter(database.tx, ACME, 'R');
    await dispatches.lockUsers(database.tx, ACME, ['ada@acme.test']);
    expect(database.sent).toEqual([
      { name: 'dispatch_lock_router', values: ['acme', 'R'] },
      { name: 'dispatch_lock_users', values: ['acme', ['ada@acme.test']] },
    ]);
  });
});

describe('what a dispatch writes', () => {
  const at = after(0);
  const snapshot = snapshotOf({ users: [user('ada')], routers: [routerOf('R', ['ada'])] }, 'R');
  const decisions: Decisions = {
    decided: [
      {
        record: storedContact('b', { contact_owner: 'old@acme.test' }),
        decision: assigned('ada@acme.test', { turn: { rotationKey: 'rule:VIP', team: 'team:7' } }),
      },
      { record: storedContact('a'), decision: REFUSED },
      { record: storedContact('c'), decision: assigned('bob@acme.test', { turn: null, rotation: null }) },
    ],
    rotations: new Map([
      ['', moved(1)],
      ['rule:VIP', moved(2)],
    ]),
  };
  const written = [
    { id: 'entry of b', object_id: 'b' },
    { id: 'entry of a', object_id: 'a' },
  ];
  const write = (commit: boolean, of = snapshot): Promise<ReadonlyMap<string, string>> => {
    database.answer('dispatch_write_assignments', written);
    return dispatches.write(database.tx, of, { ...decisions, at, commit });
  };
  const sent = (): readonly unknown[] => database.sent[0]?.values ?? [];

  it('is one statement, whose answer has the ids of the log by record [contract 4]', async () => {
    expect(await write(false)).toEqual(new Map([['b', 'entry of b'], ['a', 'entry of a']])); // prettier-ignore
    expect(database.events).toEqual(['dispatch_write_assignments']);
    expect(sent().slice(0, 4)).toEqual(['acme', 'R', 'contacts', 'contact_owner']);
    expect(sent()[5]).toBe(at);
    expect(sent()[7]).toBe(true);
    expect(sent()[8]).toEqual(['b', 'a', 'c']);
  });

  it('has the COMMIT behind it where nothing comes after [contract 4]', async () => {
    await write(true);
    expect(database.events).toEqual(['dispatch_write_assignments', 'COMMIT']);
  });

  it('is noted, so that the log of the account is folded', async () => {
    expect(growth.grown(Infinity)).toEqual([]);
    await write(true);
    expect(growth.grown(Infinity)).toEqual(['acme']);
  });

  it('is an entry for each decision in order: who, who before, why, and by which turn [contract 6]', async () => {
    await write(false);
    expect(JSON.parse(sent()[4] as string)).toEqual([
      {
        n: 0,
        object_id: 'b',
        user: 'ada@acme.test',
        previous_user: 'old@acme.test',
        reason: 'round_robin',
        message: 'The object was successfully assigned',
        trace: [],
        turn: { scope: 'rule:VIP', team: 'team:7' },
      },
      {
        n: 1,
        object_id: 'a',
        user: null,
        previous_user: null,
        reason: 'no_users_available',
        message: 'Nobody is available',
        trace: [],
        turn: null,
      },
      expect.objectContaining({ n: 2, object_id: 'c', user: 'bob@acme.test', turn: null }),
    ]);
  });

  it('is the state of each rotation that moved, by key [contract 4]', async () => {
    await write(false);
    expect(JSON.parse(sent()[6] as string)).toEqual([
      { key: '', state: encodeRotationState(moved(1), '') },
      { key: 'rule:VIP', state: encodeRotationState(moved(2), 'rule:VIP') },
    ]);
  });

  it("leaves the type's own owner alone where the router sets another field [contract 4]", async () => {
    const settings = stored({ ownerField: 'second_owner' });
    const other = snapshotOf({ routers: [routerOf('R', [], { settings })] }, 'R');
    await write(false, other);
    expect(sent()[3]).toBe('second_owner');
    expect(sent()[7]).toBe(false);
    expect(JSON.parse(sent()[4] as string)[0].previous_user).toBeNull();
  });
});
