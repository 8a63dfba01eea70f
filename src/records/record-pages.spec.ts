import { FakeDatabase } from '../../test/units/fake-database.js';
import { PAGE_BYTES } from '../paging/index.js';
import { listRecords, type RecordListQuery } from './record-pages.js';

const ACME = { accountId: 'acme' };
const QUERY: RecordListQuery = {
  objectType: 'contacts',
  limit: 2,
  offset: 0,
  archived: false,
  behind: undefined,
  extras: [],
  userFields: [],
  counts: true,
};

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

/** What the statement of a page returns: the records with these views. */
const found = (views: readonly string[], count = 9): object[] => [
  { views: views.length === 0 ? null : views.join(',\n'), count },
];
const [A, B, C] = ['{"id":"a","name":"},{"}', '{"id":"b"}', '{"id":"c"}'];
const FIRST = '00000000-0000-0000-0000-000000000000';
const list = (query: Partial<RecordListQuery> = {}): ReturnType<typeof listRecords> =>
  listRecords(database.tx, ACME, { ...QUERY, ...query });
const bytes = (rows: number): number => Math.floor(PAGE_BYTES / rows / 6);

describe('a page of records', () => {
  it.each([
    [{}, 'record_list_active_after_contacts_0', FIRST],
    [{ archived: true }, 'record_list_all_after_contacts_0', FIRST],
    [{ behind: 'x' }, 'record_list_active_after_contacts_0', 'x'],
    [{ offset: 4 }, 'record_list_active_offset_contacts_0', 4],
    [{ archived: true, offset: 4 }, 'record_list_all_offset_contacts_0', 4],
  ])('is one statement: %j [contract 3]', async (query, name, at) => {
    database.answer(name, found([A, B]));
    expect(await list(query)).toEqual({ views: [A, B], ids: ['a', 'b'], count: 9, more: false });
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', 3, bytes(3), at, true] }]);
  });

  it('has a statement for extra properties, however many [2.3]', async () => {
    database.answer('record_list_active_after_contacts_many', found([A]));
    await list({ extras: ['city', 'record_id'], counts: false });
    const keys = [',"city":', ',"record_id":'];
    const values = ['acme', 'contacts', 3, bytes(3), FIRST, ['city', 'record_id'], keys, false];
    expect(database.sent).toEqual([{ name: 'record_list_active_after_contacts_many', values }]);
  });

  it.each([{}, { behind: 'x' }, { offset: 4 }])(
    'reads one row more, which says that more follow: %j [contract 3]',
    async (query) => {
      const name = `record_list_active_${'offset' in query ? 'offset' : 'after'}_contacts_0`;
      database.answer(name, found([A, B, C]));
      expect(await list(query)).toMatchObject({ views: [A, B], ids: ['a', 'b'], count: 9, more: true });
      database.answer(name, found([A]));
      expect(await list(query)).toMatchObject({ views: [A], ids: ['a'], more: false });
    },
  );

  it('without rows is as much of an answer [contract 3]', async () => {
    database.answer('record_list_active_offset_contacts_0', found([], 3));
    expect(await list({ offset: 10 })).toEqual({ views: [], ids: [], count: 3, more: false });
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
    const { views: shown, ids } = await list({ behind: 'x', userFields: ['contact_owner'] });
    expect(shown).toEqual([views[0]?.replace('old', 'new'), views[1]]);
    expect(ids).toEqual(['a', 'b']);
  });
});

describe('a page with a large record', () => {
  const [X, Y, Z] = ['a', 'b', 'c'].map((id) => ({ id, archived: false }));

  it('reads that one by itself, in its place [contract 3]', async () => {
    database.answer('record_list_active_after_contacts_0', found([A, 'b', C]));
    database.answer('record_view_contacts_0', [{ view: Y }]);
    expect(await list()).toEqual({ views: [A, JSON.stringify(Y)], ids: ['a', 'b'], count: 9, more: true });
    expect(database.sent[1]).toEqual({ name: 'record_view_contacts_0', values: ['acme', 'contacts', 'b'] });
  });

  it('that is gone or archived when it is read is empty [contract 3]', async () => {
    for (const rows of [[], [{ view: { ...X, archived: 'then' } }]]) {
      database.answer('record_list_active_offset_contacts_0', found(['a']));
      database.answer('record_view_contacts_0', rows);
      expect(await list({ offset: 5 })).toEqual({ views: [], ids: [], count: 9, more: false });
    }
  });

  it('ends where the next record does not fit, or where no record is left [contract 3]', async () => {
    const huge = { ...X, text: 'x'.repeat(PAGE_BYTES - 100) };
    for (const [second, rows, more] of [
      [{ ...Y, text: 'x'.repeat(100) }, 1, true],
      [Y, 2, false],
    ] as const) {
      database.answer('record_list_all_after_contacts_0', found(['a', 'b']));
      database.answer('record_view_contacts_0', [{ view: huge }]);
      database.answer('record_view_contacts_0', [{ view: second }]);
      const page = await list({ behind: 'x', archived: true });
      expect([page.views.length, page.more]).toEqual([rows, more]);
    }
    database.answer('record_list_all_after_contacts_0', found(['c']));
    database.answer('record_view_contacts_0', [{ view: { ...Z, archived: 'then' } }]);
    expect(await list({ archived: true })).toMatchObject({ ids: ['c'], more: false });
  });
});
