import { OutcomeUnknownError } from '../database/index.js';
import { FakeDatabase } from '../database/testing/fake-database.js';
import { findArchived, findInserted, findUpdated } from './lost-record-writes.js';
import { storedContact } from './testing/stored-contact.js';

const ACME = { accountId: 'acme' };
const KEY = { objectType: 'contacts', id: 'a' } as const;
const since = 100_000;
const record = storedContact('a');

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

it('finds a record that was created by the end of its id', async () => {
  const find = findInserted(ACME, 'contacts', '8000-0123456789ab');
  expect(await find(database, { since })).toBeUndefined();
  database.answer('record_find_inserted', [record]);
  expect(await find(database, { since })).toEqual([record]);
  expect(database.sent[0]?.values).toEqual(['acme', 'contacts', '8000-0123456789ab', since]);
});

describe('a record that may have been updated', () => {
  const find = (found: object[]): Promise<unknown> => {
    database.answer('record_find_updated', found);
    return findUpdated(ACME, KEY, { set: '{"city":"Paris"}', removed: ['phone'] })(database, { since });
  };

  it('was, where it was changed since and has the values', async () => {
    expect(await find([{ ...record, changed: true, current: true }])).toEqual([record]);
    expect(database.sent[0]?.values).toEqual(['acme', 'contacts', 'a', '{"city":"Paris"}', ['phone'], since]);
  });

  it('was not, where it was not changed since, whatever its values are, or does not exist', async () => {
    expect(await find([{ ...record, changed: false, current: true }])).toBeUndefined();
    expect(await find([{ ...record, changed: false, current: false }])).toBeUndefined();
    expect(await find([])).toBeUndefined();
  });

  it('is unknown, where somebody else has changed it since', async () => {
    await expect(find([{ ...record, changed: true, current: false }])).rejects.toBeInstanceOf(
      OutcomeUnknownError,
    );
  });
});

it.each([
  ['archived since, by this client', new Date(100_000), 'me', true],
  ['archived since, by another client', new Date(100_000), 'other', false],
  ['archived long before', new Date(39_999), 'me', false],
  ['active', null, null, false],
])('a record that is %s', async (_, archivedAt, archivedBy, isOurs) => {
  const archived = { ...record, archived_at: archivedAt, archived_by: archivedBy };
  database.answer('record_find_archived', [archived]);
  const found = await findArchived(ACME, KEY, 'me')(database, { since });
  expect(found).toEqual(isOurs ? [archived] : undefined);
});
