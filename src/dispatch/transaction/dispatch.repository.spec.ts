import { FakeDatabase } from '../../../test/units/fake-database.js';
import { encodeRotationState, type RotationState } from '../../engine/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { ACME } from '../../../test/units/decisions.js';
import { DispatchRepository } from './dispatch.repository.js';

const PART = 8 * 1024 * 1024;

const KEYS = { routerIds: ['R', 'S'], objectIds: ['a', 'b', 'c'], unread: ['notes'] };

let database: FakeDatabase;
let dispatches: DispatchRepository;
beforeEach(() => {
  database = new FakeDatabase();
  dispatches = new DispatchRepository();
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
const row = (record: object, at: number, rotations: Record<string, unknown> | null = null): object => ({
  config_version: '7',
  ...record,
  rotations,
  at: after(at),
});

describe.each([
  ['read and locked', 'dispatch_read_part_and_lock', 'readAndLock', 'dispatch_read_and_lock'],
  ['read and locked where it is free', 'dispatch_read_part_and_try', 'readAndTry', 'dispatch_read_and_try'],
  ['only read', 'dispatch_read_only_part', 'readOnly', 'dispatch_read_only'],
] as const)('what is decided on, %s', (_, name, method, whole) => {
  const read = (...rows: object[]): ReturnType<DispatchRepository[typeof method]> => {
    database.answer(name, rows);
    return dispatches[method](database.tx, ACME, KEYS);
  };

  it('is asked for by account, records and routers [5.3]', async () => {
    await read();
    expect(database.sent).toEqual([
      { name, values: ['acme', ['a', 'b', 'c'], ['R', 'S'], Math.floor(PART / 3), ['notes']] },
    ]);
  });

  it('is undefined for an account that does not exist', async () => {
    expect(await read()).toBeUndefined();
  });

  it('is the records that exist, the version, and the rotations of the one row that has them [contract 4]', async () => {
    const rows = await read(
      row(storedContact('a'), 0, { R: encoded(3) }),
      row(storedContact('b'), 0),
      row(storedContact('c'), 0),
    );
    expect(rows?.version).toBe('7');
    expect(rows?.rotations.get('R')?.seq).toBe(3);
    expect(rows?.rotations.get('S')).toEqual({ seq: 0, ledgers: new Map() });
    expect([...(rows?.records ?? [])]).toEqual(['a', 'b', 'c'].map((id) => [id, storedContact(id)]));
    expect(rows?.objectIds).toEqual(KEYS.objectIds);
  });

  it.each([[['a']], [[]]])(
    'is all of a single record, however large it is: %j [contract 4]',
    async (objectIds) => {
      database.answer(name, [row(NO_RECORD, 0)]);
      await dispatches[method](database.tx, ACME, { ...KEYS, objectIds });
      expect(database.sent).toEqual([
        { name, values: ['acme', objectIds, ['R', 'S'], 2_147_483_647, ['notes']] },
      ]);
    },
  );

  it('is read without a bound where one record is read as it is [contract 4]', async () => {
    database.answer(whole, [row(storedContact('a'), 0)]);
    const rows = await dispatches[method](database.tx, ACME, { ...KEYS, objectIds: ['a'], unread: [] });
    expect(database.sent).toEqual([{ name: whole, values: ['acme', ['a'], ['R', 'S']] }]);
    expect([...(rows?.records.keys() ?? [])]).toEqual(['a']);
  });

  it('is read by a second statement where records are large [contract 4]', async () => {
    database.answer('dispatch_read_large', [{ id: 'c', fields: { first_name: 'Large' } }]);
    const rows = await read(
      row(storedContact('a'), 0, { R: encoded(3) }),
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
    expect(rows?.rotations.get('R')?.seq).toBe(3);
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

  it('may have its rotations in any row', async () => {
    const rows = await read(row(storedContact('a'), 0), row(storedContact('b'), 0, { R: encoded(3) }));
    expect(rows?.rotations.get('R')?.seq).toBe(3);
  });

  it('is rotations that gave no turn, and no records, where there are none', async () => {
    const rows = await read(row(NO_RECORD, 0));
    expect(rows?.records.size).toBe(0);
    expect(rows?.rotations).toEqual(new Map(['R', 'S'].map((id) => [id, { seq: 0, ledgers: new Map() }])));
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

describe('what exists', () => {
  it('is found by account and ids [5.3]', async () => {
    database.answer('dispatch_read_existing', [{ id: 'b' }]);
    expect(await dispatches.readExisting(database.tx, ACME, ['a', 'b'])).toEqual(new Set(['b']));
    expect(database.sent).toEqual([{ name: 'dispatch_read_existing', values: ['acme', ['a', 'b']] }]);
  });
});
