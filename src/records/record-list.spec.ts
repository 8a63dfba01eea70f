import { FakeDatabase } from '../../test/units/fake-database.js';
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
/** What the statement of a page returns: the records with these views, null for one that is too large. */
function found(views: readonly (string | null)[], count = 9): object[] {
  const fit = views.filter((view) => view !== null);
  const joined = fit.length === 0 ? null : fit.join(',');
  return [{ found: views.length, fit: fit.length, views: joined, count, uncounted: 4 }];
}
const [A, B, C] = ['{"id":"a","name":"},{"}', '{"id":"b"}', '{"id":"c"}'];
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
    database.answer(name, found([A, B]));
    expect(await list(query)).toEqual({
      parts: [`${A},${B}`],
      last: 'b',
      count: 9,
      uncounted: 4,
      more: true,
    });
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 2, bytes(2), ...at] }]);
  }); // prettier-ignore

  it('has a statement for five extra properties, and one for more [2.3]', async () => {
    database.answer('record_list_active_offset_contacts_many', found([A]));
    await list({ extras: ['a', 'b', 'c', 'd', 'e', 'f'], offset: 4 });
    database.answer('record_list_active_start_contacts_5', found([A]));
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
    database.answer(name, found([A, B], count));
    expect(await list({ offset })).toMatchObject({ count, more });
  });

  it('behind a record reads one row more, which says that more follow [contract 3]', async () => {
    const name = 'record_list_active_after_contacts_0';
    database.answer(name, found([A, B, C]));
    const page = await list({ behind: 'x' });
    expect(page).toMatchObject({ parts: [`${A},${B}`], last: 'b', count: 9, more: true });
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 3, bytes(3), 'x'] }]);
    database.answer(name, found([A, B]));
    expect((await list({ behind: 'x' })).more).toBe(false);
    database.answer(name, found([A]));
    expect(await list({ behind: 'x' })).toMatchObject({ parts: [A], last: 'a', more: false });
  });

  it('without rows is as much of an answer [contract 3]', async () => {
    for (const [start, query, count] of [
      ['start', {}, 0],
      ['offset', { offset: 10 }, 3],
      ['after', { behind: 'x' }, 3],
    ] as const) {
      database.answer(`record_list_active_${start}_contacts_0`, found([], count));
      expect(await list(query)).toEqual({ parts: [], last: undefined, count, uncounted: 4, more: false });
    }
    expect(database.sent).toHaveLength(3);
  });

  it('shows the e-mails that users have now, where one has changed [contract 6]', async () => {
    const views = [
      '{"id":"a","contact_owner":"ada@old.test","name":"\\"},{\\"id\\":\\""}',
      '{"id":"b","contact_owner":null}',
    ];
    const [page] = found([...views, C]);
    database.answer('record_list_active_after_contacts_0', [
      { ...page, renamed: { 'ada@old.test': 'ada@new.test' } },
    ]);
    const { parts, last } = await list({ behind: 'x', userFields: ['contact_owner'] });
    expect(parts).toEqual([views[0]?.replace('old', 'new'), views[1]]);
    expect(last).toBe('b');
  });
});

describe('a page with a large record', () => {
  it('is read again, row by row, until it is full [contract 3]', async () => {
    database.answer('record_list_active_start_contacts_0', found([A, null]));
    database.answer('record_walk_active_offset_contacts', [row('a'), row('b', { view: null })]);
    expect(await list()).toEqual({
      parts: ['{"id":"a"}'],
      last: 'a',
      count: 9,
      uncounted: 4,
      more: true,
    });
    const values = ['acme', 'contacts', 2, PAGE_BYTES, 0, [], []];
    expect(database.sent[1]).toEqual({ name: 'record_walk_active_offset_contacts', values });
  });

  it('that is gone when it is read again is empty, and has the count of before [contract 3]', async () => {
    database.answer('record_list_active_offset_contacts_0', found([null], 6));
    expect(await list({ offset: 5 })).toEqual({
      parts: [],
      last: undefined,
      count: 6,
      uncounted: 4,
      more: true,
    });
    expect(database.sent[1]?.name).toBe('record_walk_active_offset_contacts');
  });

  it('behind a record ends where the next record does not fit, or where no record is left [contract 3]', async () => {
    for (const [last, count, more] of [
      [row('b', { view: null }), 1, true],
      [row('b'), 2, false],
    ] as const) {
      database.answer('record_list_all_after_contacts_0', found([null, B]));
      database.answer('record_walk_all_after_contacts', [row('a'), last]);
      const page = await list({ behind: 'x', archived: true });
      expect([page.parts.length, page.more]).toEqual([count, more]);
    }
    expect(database.sent[1]?.values).toEqual(['acme', 'contacts', 3, PAGE_BYTES, 'x', [], []]);
  });
});
