import { FakeDatabase } from '../../../test/units/fake-database.js';
import { encodeRotationState } from '../../engine/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { ACME } from '../../../test/units/decisions.js';
import { DispatchRepository } from './dispatch.repository.js';

const KEYS = { routerIds: ['R', 'S'], objectIds: ['a', 'b'], unread: ['notes'] };
const AT = 1_000_000;
const NO_RECORD = { id: null, object_type: null, fields: null };

let database: FakeDatabase;
const dispatches = new DispatchRepository();
beforeEach(() => (database = new FakeDatabase()));

const row = (record: object, late: number, rotations: Record<string, unknown> | null = null): object => ({
  ...record,
  rotations,
  at: new Date(AT + late),
});

describe.each([
  ['read and locked', 'dispatch_read_and_lock', 'readAndLock'],
  ['only read', 'dispatch_read_only', 'readOnly'],
] as const)('what is decided on, %s', (_, name, method) => {
  it('is asked for by account, records and routers [5.3]', async () => {
    database.answer(name, [row(NO_RECORD, 0)]);
    const { records, rotations } = await dispatches[method](database.tx, ACME, KEYS);
    expect(database.sent).toEqual([{ name, values: ['acme', ['a', 'b'], ['R', 'S'], ['notes']] }]);
    expect(records.size).toBe(0);
    expect(rotations.get('R')?.seq).toBe(0);
  });

  it('is the records that exist, the rotations of the row that has them, and the latest clock [contract 4]', async () => {
    const state = encodeRotationState({ seq: 3, ledgers: new Map() }, '');
    database.answer(name, [row(storedContact('a'), 5), row(storedContact('b'), 2, { S: state })]);
    const { records, rotations, at } = await dispatches[method](database.tx, ACME, KEYS);
    expect([...records.values()]).toEqual([storedContact('a'), storedContact('b')]);
    expect([...rotations].map(([id, { seq }]) => [id, seq])).toEqual([
      ['R', 0],
      ['S', 3],
    ]);
    expect(at).toEqual(new Date(AT + 5));
  });
});
