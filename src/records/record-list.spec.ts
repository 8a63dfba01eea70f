import { FakeDatabase } from '../database/testing/fake-database.js';
import { PAGE_BYTES } from '../http/index.js';
import { listRecords, type RecordListQuery } from './record-list.js';
import { storedContact } from './testing/stored-contact.js';

const ACME = { accountId: 'acme' };
const SHOWN = ['first_name', 'city'];
const QUERY: RecordListQuery = {
  objectType: 'contacts',
  limit: 2,
  offset: 0,
  archived: false,
  behind: undefined,
  shown: SHOWN,
  bytesPerRow: 100,
};

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

/** A row as the database gives it. */
function row(id: string, shown: readonly (string | null)[] | null = ['Ada', null], count = 9): object {
  const { fields: _, ...rest } = storedContact(id);
  return { ...rest, count, uncounted: 4, shown };
}
const list = (query: Partial<RecordListQuery> = {}): ReturnType<typeof listRecords> =>
  listRecords(database.tx, ACME, { ...QUERY, ...query });
const bytes = (rows: number): number => Math.floor((PAGE_BYTES / rows - 100) / 6);

describe('a page of records', () => {
  it.each([
    [{}, 'record_list_active_start_5', []],
    [{ archived: true }, 'record_list_all_start_5', []],
    [{ offset: 4 }, 'record_list_active_offset_5', [4]],
    [{ archived: true, offset: 4 }, 'record_list_all_offset_5', [4]],
  ])('at an offset is one statement: %j [contract 3]', async (query, name, at) => {
    database.answer(name, [row('a'), row('b', ['Bob', 'Rome'])]);
    expect(await list(query)).toEqual({
      rows: [storedContact('a', { first_name: 'Ada' }), storedContact('b', { first_name: 'Bob', city: 'Rome' })],
      count: 9,
      uncounted: 4,
      more: true,
    });
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 2, SHOWN, bytes(2), ...at] }]);
  }); // prettier-ignore

  it('with many properties is a statement of its own [2.3]', async () => {
    const shown = Array.from({ length: 11 }, (_, index) => `f_${index}`);
    await list({ shown });
    expect(database.sent[0]?.name).toBe('record_list_active_start_many');
  });

  it.each([
    [0, 2, false],
    [0, 3, true],
    [4, 6, false],
    [4, 7, true],
  ])('at the offset %d of %d records says whether more follow [contract 3]', async (offset, count, more) => {
    const name = `record_list_active_${offset === 0 ? 'start' : 'offset'}_5`;
    database.answer(name, [row('a', [], count), row('b', [], count)]);
    expect(await list({ offset })).toMatchObject({ count, more });
  });

  it('behind a record reads one row more, which says that more follow [contract 3]', async () => {
    const name = 'record_list_active_after_5';
    database.answer(name, [row('a'), row('b'), row('c')]);
    const page = await list({ behind: 'x' });
    expect([page.rows.map(({ id }) => id), page.count, page.more]).toEqual([['a', 'b'], 9, true]);
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 3, SHOWN, bytes(3), 'x'] }]);
    database.answer(name, [row('a'), row('b')]);
    expect((await list({ behind: 'x' })).more).toBe(false);
  });

  it('without rows counts apart, but at the start there are none [contract 3]', async () => {
    expect(await list()).toEqual({ rows: [], count: 0, uncounted: 0, more: false });
    expect(database.sent).toHaveLength(1);
    for (const query of [{ offset: 10 }, { behind: 'x' }]) {
      database.answer('record_count_active', [{ count: 3, uncounted: 2 }]);
      expect(await list(query)).toEqual({ rows: [], count: 3, uncounted: 2, more: false });
      expect(database.sent.at(-1)).toEqual({ name: 'record_count_active', values: ['acme', 'contacts'] });
    }
  });
});

describe('a page with a large record', () => {
  it('is read again, row by row, until it is full [contract 3]', async () => {
    database.answer('record_list_active_start_5', [row('a'), row('b', null)]);
    database.answer('record_walk_active_offset', [row('a'), row('b', null)]);
    expect(await list()).toEqual({
      rows: [storedContact('a', { first_name: 'Ada' })],
      count: 9,
      uncounted: 4,
      more: true,
    });
    const values = ['acme', 'contacts', 2, SHOWN, PAGE_BYTES, 0, 100];
    expect(database.sent[1]).toEqual({ name: 'record_walk_active_offset', values });
  });

  it('behind a record ends where the next record does not fit, or where no record is left [contract 3]', async () => {
    for (const [last, ids, more] of [
      [row('b', null), ['a'], true],
      [row('b'), ['a', 'b'], false],
    ] as const) {
      database.answer('record_list_all_after_5', [row('a', null), row('b')]);
      database.answer('record_walk_all_after', [row('a'), last]);
      const page = await list({ behind: 'x', archived: true });
      expect([page.rows.map(({ id }) => id), page.more]).toEqual([ids, more]);
    }
    expect(database.sent[1]?.values).toEqual(['acme', 'contacts', 3, SHOWN, PAGE_BYTES, 'x', 100]);
  });
});
