import { FakeDatabase } from '../database/testing/fake-database.js';
import { PAGE_BYTES } from '../paging/index.js';
import { listRecords, type RecordListQuery } from './record-list.js';

const ACME = { accountId: 'acme' };
const QUERY: RecordListQuery = {
  objectType: 'contacts',
  limit: 2,
  offset: 0,
  archived: false,
  behind: undefined,
  extras: [],
  userFields: [],
  bytesPerRow: 100,
};

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

/** A row as the database gives it. */
function row(
  id: string,
  { view = `{"id":"${id}"}`, count = 9 }: { view?: string | null; count?: number } = {},
): object {
  return { id, view, count, uncounted: 4 };
}
const list = (query: Partial<RecordListQuery> = {}): ReturnType<typeof listRecords> =>
  listRecords(database.tx, ACME, { ...QUERY, ...query });
const bytes = (rows: number): number => Math.floor((PAGE_BYTES / rows - 100) / 6);

describe('a page of records', () => {
  it.each([
    [{}, 'record_list_active_start_contacts_0', []],
    [{ archived: true }, 'record_list_all_start_contacts_0', []],
    [{ offset: 4 }, 'record_list_active_offset_contacts_0', [4]],
    [{ archived: true, offset: 4 }, 'record_list_all_offset_contacts_0', [4]],
  ])('at an offset is one statement: %j [contract 3]', async (query, name, at) => {
    database.answer(name, [row('a'), row('b')]);
    expect(await list(query)).toEqual({
      views: ['{"id":"a"}', '{"id":"b"}'],
      last: 'b',
      count: 9,
      uncounted: 4,
      more: true,
    });
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 2, bytes(2), ...at] }]);
  }); // prettier-ignore

  it('has a statement for five extra properties, and one for more [2.3]', async () => {
    await list({ extras: ['a', 'b', 'c', 'd', 'e', 'f'], offset: 4 });
    await list({ extras: ['city', 'record_id'] });
    const keys = [',"city":', ',"record_id":'];
    const values = ['acme', 'contacts', 2, bytes(2), ['city', 'record_id'], keys];
    expect(database.sent.at(-1)).toEqual({ name: 'record_list_active_start_contacts_5', values });
    expect(database.sent[0]?.name).toBe('record_list_active_offset_contacts_many');
  });

  it.each([
    [0, 2, false],
    [0, 3, true],
    [4, 6, false],
    [4, 7, true],
  ])('at the offset %d of %d records says whether more follow [contract 3]', async (offset, count, more) => {
    const name = `record_list_active_${offset === 0 ? 'start' : 'offset'}_contacts_0`;
    database.answer(name, [row('a', { count }), row('b', { count })]);
    expect(await list({ offset })).toMatchObject({ count, more });
  });

  it('behind a record reads one row more, which says that more follow [contract 3]', async () => {
    const name = 'record_list_active_after_contacts_0';
    database.answer(name, [row('a'), row('b'), row('c')]);
    const page = await list({ behind: 'x' });
    expect([page.views, page.last, page.count, page.more]).toEqual([
      ['{"id":"a"}', '{"id":"b"}'],
      ...['b', 9, true],
    ]);
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 3, bytes(3), 'x'] }]);
    database.answer(name, [row('a'), row('b')]);
    expect((await list({ behind: 'x' })).more).toBe(false);
  });

  it('without rows counts apart, but at the start there are none [contract 3]', async () => {
    expect(await list()).toEqual({ views: [], last: undefined, count: 0, uncounted: 0, more: false });
    expect(database.sent).toHaveLength(1);
    for (const query of [{ offset: 10 }, { behind: 'x' }]) {
      database.answer('record_count_active', [{ count: 3, uncounted: 2 }]);
      expect(await list(query)).toEqual({ views: [], last: undefined, count: 3, uncounted: 2, more: false });
      expect(database.sent.at(-1)).toEqual({ name: 'record_count_active', values: ['acme', 'contacts'] });
    }
  });
});

describe('a page with a large record', () => {
  it('is read again, row by row, until it is full [contract 3]', async () => {
    database.answer('record_list_active_start_contacts_0', [row('a'), row('b', { view: null })]);
    database.answer('record_walk_active_offset_contacts', [row('a'), row('b', { view: null })]);
    expect(await list()).toEqual({
      views: ['{"id":"a"}'],
      last: 'a',
      count: 9,
      uncounted: 4,
      more: true,
    });
    const values = ['acme', 'contacts', 2, PAGE_BYTES, 0, [], []];
    expect(database.sent[1]).toEqual({ name: 'record_walk_active_offset_contacts', values });
  });

  it('behind a record ends where the next record does not fit, or where no record is left [contract 3]', async () => {
    for (const [last, count, more] of [
      [row('b', { view: null }), 1, true],
      [row('b'), 2, false],
    ] as const) {
      database.answer('record_list_all_after_contacts_0', [row('a', { view: null }), row('b')]);
      database.answer('record_walk_all_after_contacts', [row('a'), last]);
      const page = await list({ behind: 'x', archived: true });
      expect([page.views.length, page.more]).toEqual([count, more]);
    }
    expect(database.sent[1]?.values).toEqual(['acme', 'contacts', 3, PAGE_BYTES, 'x', [], []]);
  });
});
