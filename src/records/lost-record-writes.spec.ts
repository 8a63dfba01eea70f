import { OutcomeUnknownError } from '../database/index.js';
import { FakeDatabase } from '../database/testing/fake-database.js';
import { findArchived, findInserted, findUpdated } from './lost-record-writes.js';
import { storedContact } from './testing/stored-contact.js';

const ACME = { accountId: 'acme' };
const KEY = { objectType: 'contacts', id: 'a', key: undefined } as const;
const BY_EMAIL = { ...KEY, key: { property: 'email', value: 'a@x.test' } };
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
  const find = (found: object[], key: typeof KEY | typeof BY_EMAIL = KEY): Promise<unknown> => {
    database.answer('record_find_updated', found);
    return findUpdated(ACME, key, { set: '{"city":"Paris"}', removed: ['phone'] })(database, { since });
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

it('is not told as written by a key that it has lost', async () => {
  const update = (fields: object, archived_at: Date | null = null): Promise<unknown> => {
    database.answer('record_find_updated', [
      { ...record, fields, archived_at, changed: true, current: true },
    ]);
    return findUpdated(ACME, BY_EMAIL, { set: '{}', removed: [] })(database, { since });
  };
  const archive = (fields: object): Promise<unknown> => {
    const archived = { ...record, fields, archived_at: new Date(since), archived_by: 'me' };
    database.answer('record_find_archived', [archived]);
    return findArchived(ACME, BY_EMAIL, 'me')(database, { since });
  };
  expect(await update({ email: 'a@x.test' })).toHaveLength(1);
  await expect(update({ email: 'b@x.test' })).rejects.toBeInstanceOf(OutcomeUnknownError);
  await expect(update({ email: 'a@x.test' }, new Date(since))).rejects.toBeInstanceOf(OutcomeUnknownError);
  expect(await archive({ email: 'a@x.test' })).toHaveLength(1);
  expect(await archive({ email: 'b@x.test' })).toBeUndefined();
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
