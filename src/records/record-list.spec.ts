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
  counts: true,
};

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

/** A row as the database gives it. */
function row(
  id: string,
  { view = `{"id":"${id}"}`, count = 9 }: { view?: string | null; count?: number } = {},
): object {
  return { id, view, count };
}
/** What the statement of a page returns: the records with these views, null for one that is too large. */
function found(views: readonly (string | null)[], count = 9): object[] {
  const fit = views.filter((view) => view !== null);
  const joined = fit.length === 0 ? null : fit.join(',');
  return [{ found: views.length, fit: fit.length, views: joined, count }];
}
const [A, B, C] = ['{"id":"a","name":"},{"}', '{"id":"b"}', '{"id":"c"}'];
const FIRST = '00000000-0000-0000-0000-000000000000';
const list = (query: Partial<RecordListQuery> = {}): ReturnType<typeof listRecords> =>
  listRecords(database.tx, ACME, { ...QUERY, ...query });
const bytes = (rows: number): number => Math.floor((PAGE_BYTES / rows - 100) / 6);

describe('a page of records', () => {
  it.each([
    [{}, 'record_list_active_after_contacts_0', FIRST],
    [{ archived: true }, 'record_list_all_after_contacts_0', FIRST],
    [{ behind: 'x' }, 'record_list_active_after_contacts_0', 'x'],
    [{ offset: 4 }, 'record_list_active_offset_contacts_0', 4],
    [{ archived: true, offset: 4 }, 'record_list_all_offset_contacts_0', 4],
  ])('is one statement: %j [contract 3]', async (query, name, at) => {
    database.answer(name, found([A, B]));
    expect(await list(query)).toEqual({ parts: [`${A},${B}`], last: 'b', count: 9, more: false });
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 3, bytes(3), at, true] }]);
  });

  it('has a statement for five extra properties, and one for more [2.3]', async () => {
    database.answer('record_list_active_offset_contacts_many', found([A]));
    await list({ extras: ['a', 'b', 'c', 'd', 'e', 'f'], offset: 4 });
    database.answer('record_list_active_after_contacts_5', found([A]));
    await list({ extras: ['city', 'record_id'], counts: false });
    const keys = [',"city":', ',"record_id":'];
    const values = ['acme', 'contacts', 3, bytes(3), FIRST, false, ['city', 'record_id'], keys];
    expect(database.sent.at(-1)).toEqual({ name: 'record_list_active_after_contacts_5', values });
    expect(database.sent[0]?.name).toBe('record_list_active_offset_contacts_many');
  });

  it.each([{}, { behind: 'x' }, { offset: 4 }])(
    'reads one row more, which says that more follow: %j [contract 3]',
    async (query) => {
      const name = `record_list_active_${'offset' in query ? 'offset' : 'after'}_contacts_0`;
      database.answer(name, found([A, B, C]));
      expect(await list(query)).toMatchObject({ parts: [`${A},${B}`], last: 'b', count: 9, more: true });
      database.answer(name, found([A]));
      expect(await list(query)).toMatchObject({ parts: [A], last: 'a', more: false });
    },
  );

  it('without rows is as much of an answer [contract 3]', async () => {
    database.answer('record_list_active_offset_contacts_0', found([], 3));
    expect(await list({ offset: 10 })).toEqual({ parts: [], last: undefined, count: 3, more: false });
    expect(database.sent).toHaveLength(1);
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
    database.answer('record_list_active_after_contacts_0', found([A, null]));
    database.answer('record_walk_active_after_contacts', [row('a'), row('b', { view: null })]);
    expect(await list()).toEqual({ parts: ['{"id":"a"}'], last: 'a', count: 9, more: true });
    const values = ['acme', 'contacts', 3, PAGE_BYTES, FIRST, true, [], []];
    expect(database.sent[1]).toEqual({ name: 'record_walk_active_after_contacts', values });
  });

  it('that is gone when it is read again is empty, and has the count of before [contract 3]', async () => {
    database.answer('record_list_active_offset_contacts_0', found([null], 6));
    expect(await list({ offset: 5 })).toEqual({ parts: [], last: undefined, count: 6, more: false });
    expect(database.sent[1]?.name).toBe('record_walk_active_offset_contacts');
  });

  it('ends where the next record does not fit, or where no record is left [contract 3]', async () => {
    for (const [last, count, more] of [
      [row('b', { view: null }), 1, true],
      [row('b'), 2, false],
    ] as const) {
      database.answer('record_list_all_after_contacts_0', found([null, B]));
      database.answer('record_walk_all_after_contacts', [row('a'), last]);
      const page = await list({ behind: 'x', archived: true });
      expect([page.parts.length, page.more]).toEqual([count, more]);
    }
    expect(database.sent[1]?.values).toEqual(['acme', 'contacts', 3, PAGE_BYTES, 'x', true, [], []]);
  });
});
