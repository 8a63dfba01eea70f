import { FakeDatabase } from '../../test/units/fake-database.js';
import type { ObjectType } from '../fields/index.js';
import { WriteAuthors } from './history/write-authors.js';
import { DuplicateRecordError } from './duplicate-record.error.js';
import { RecordsRepository, type RecordValues } from './records.repository.js';
import { storedContact } from '../../test/units/stored-contact.js';

const ACME = { accountId: 'acme' };
const records = new RecordsRepository(new WriteAuthors({ HISTORY: 'off' }));

let database: FakeDatabase;
beforeEach(() => (database = new FakeDatabase()));

const values = (
  objectType: ObjectType,
  changes: Readonly<Record<string, string | null>>,
  owners: readonly string[] = [],
): RecordValues => ({
  objectType,
  version: '7',
  changes: new Map(Object.entries(changes)),
  owners,
  limit: { bytes: 1024, apart: ['notes'] },
});

const violation = (constraint: string): Error =>
  Object.assign(new Error('duplicate key value violates unique constraint'), { code: '23505', constraint });

describe('a create', () => {
  it('sends what is set, and what the version, the own key and the owner field are [2.4, 2.8]', async () => {
    database.answer('record_insert', [storedContact('new')]);
    const changes = { email: 'a@x.test', city: null, contact_owner: 'ada@acme.test' };
    const created = await records.insert(database.tx, ACME, values('contacts', changes, ['contact_owner']));
    expect(created).toEqual(storedContact('new'));
    const fields = '{"email":"a@x.test","contact_owner":"ada@acme.test"}';
    expect(database.sent).toEqual([
      {
        name: 'record_insert',
        values: [
          'acme',
          '7',
          'contacts',
          fields,
          ['contact_owner_assigned_date'],
          'email',
          'contact_owner',
          'off',
        ],
      },
    ]);
  });

  it.each([
    ['contacts', 'email', 'contact_owner'],
    ['companies', 'website_url', 'company_owner'],
    ['deals', null, 'deal_owner'],
    ['tickets', null, 'ticket_owner'],
  ] as const)('of %s has the own key %s [2.8]', async (objectType, key, owner) => {
    await records.insert(database.tx, ACME, values(objectType, {}));
    expect(database.sent[0]?.values.slice(5, 7)).toEqual([key, owner]);
  });

  it('writes nothing where no row comes back: the configuration has changed [contract 3]', async () => {
    expect(await records.insert(database.tx, ACME, values('contacts', {}))).toBeUndefined();
  });
});

describe('an update', () => {
  it('removes what is cleared, an owner together with the date it was assigned [2.5, 4.4]', async () => {
    database.answer('record_update', [storedContact('a')]);
    const changes = { first_name: 'Ada', city: null, contact_owner: null, partner: 'bob@acme.test' };
    const changed = await records.update(database.tx, ACME, {
      ...values('contacts', changes, ['contact_owner', 'partner']),
      id: 'a',
    });
    expect(changed).toEqual(storedContact('a'));
    expect(database.sent).toEqual([
      {
        name: 'record_update',
        values: [
          'acme',
          '7',
          'contacts',
          'a',
          '{"first_name":"Ada","partner":"bob@acme.test"}',
          ['partner_assigned_date'],
          ['city', 'contact_owner', 'contact_owner_assigned_date'],
          'email',
          'contact_owner',
          1024,
          ['notes'],
          null,
          null,
          'off',
        ],
      },
    ]);
  });

  it('has a shorter statement where it sets no key, no owner and no long field, and clears nothing', async () => {
    database.answer('record_update_plain', [storedContact('a')]);
    const write = { ...values('contacts', { city: 'Paris' }), id: 'a' };
    expect(await records.update(database.tx, ACME, write)).toEqual(storedContact('a'));
    const sent = ['acme', '7', 'contacts', 'a', '{"city":"Paris"}', 1024, ['notes'], null, 'off'];
    expect(database.sent).toEqual([{ name: 'record_update_plain', values: sent }]);
  });

  it.each([
    [{ email: 'a@x.test' }, []],
    [{ external_id: '7' }, []],
    [{ city: null }, []],
    [{ notes: 'long' }, []],
    [{ partner: 'bob@acme.test' }, ['partner']],
  ])('has the whole statement for %j', async (changes, owners) => {
    await records.update(database.tx, ACME, { ...values('contacts', changes, owners), id: 'a' });
    expect(database.sent.map(({ name }) => name)).toEqual(['record_update']);
  });

  it('bounds all fields of a record where it sets a long one [contract 3]', async () => {
    for (const notes of ['x', null]) {
      await records.update(database.tx, ACME, { ...values('contacts', { notes }), id: 'a' });
    }
    expect(database.sent.map((each) => each.values.at(-3))).toEqual([7 * 1024 * 1024, null]);
  });

  it('finds nothing where no row comes back', async () => {
    const update = { ...values('deals', { deal_name: 'x' }), id: 'a' };
    expect(await records.update(database.tx, ACME, update)).toBeUndefined();
  });
});

describe('a write that meets another record', () => {
  const changes = { email: 'a@x.test', website_url: 'x.test', external_id: '7', city: 'Paris' };
  const KEY = 'records_unique_key_key';
  const EXTERNAL = 'records_external_id_key';

  /** Each attempt fails by the index, and then finds those records. */
  const collide = async (
    index: string,
    { found, objectType = 'contacts', id }: { found: object[]; objectType?: ObjectType; id?: string },
  ): Promise<unknown> => {
    for (const holders of found) {
      database.fail(id === undefined ? 'record_insert' : 'record_update', violation(index));
      database.answer('record_find_collisions', [holders]);
    }
    const write = values(objectType, changes);
    const work =
      id === undefined
        ? records.insert(database.tx, ACME, write)
        : records.update(database.tx, ACME, { ...write, id });
    return work.catch((error: unknown) => error);
  };
  const GONE = { unique_key: null, external_id: null };
  const email = { field: 'email', existingId: 'e' };
  const external = { field: 'external_id', existingId: 'x' };

  it.each([
    ['its own key', KEY, { unique_key: 'e', external_id: null }, [email]],
    ['its external id', EXTERNAL, { unique_key: null, external_id: 'x' }, [external]],
    ['both, of which the index is the first', KEY, { unique_key: 'e', external_id: 'x' }, [email, external]],
    ['both, of which the index is the second', EXTERNAL, { unique_key: 'e', external_id: 'x' }, [email, external]],
    ['the key that is still taken', KEY, { unique_key: null, external_id: 'x' }, [external]],
  ])('is blamed on %s, with the records that have it [2.8, contract 1]', async (_, index, found, collisions) => {
    const error = await collide(index, { found: [found] });
    expect(error).toEqual(new DuplicateRecordError('contacts', collisions));
    expect((error as DuplicateRecordError).details).toEqual(
      new DuplicateRecordError('contacts', collisions).details,
    );
  }); // prettier-ignore

  it('is written after all where the other record is gone by then [2.8, contract 1]', async () => {
    database.fail('record_insert', violation(KEY));
    database.answer('record_find_collisions', [GONE]);
    database.answer('record_insert', [storedContact('new')]);
    expect(await records.insert(database.tx, ACME, values('contacts', changes))).toEqual(
      storedContact('new'),
    );
  });

  it.each([
    [KEY, 'contacts', 'email'],
    [EXTERNAL, 'contacts', 'external_id'],
    [EXTERNAL, 'deals', 'external_id'],
  ] as const)('names no record after five others that were gone by then: %s of %s [contract 1]', async (index, objectType, field) => {
    const error = await collide(index, { objectType, found: Array<object>(5).fill(GONE) });
    expect(error).toEqual(new DuplicateRecordError(objectType, [{ field }]));
    expect((error as DuplicateRecordError).details).not.toHaveProperty('existingId');
    expect(database.sent).toHaveLength(10);
  }); // prettier-ignore

  it('is never blamed on an own key that the type does not have [2.8]', async () => {
    const found = [{ unique_key: null, external_id: 'x' }];
    expect(await collide(EXTERNAL, { objectType: 'deals', found })).toEqual(
      new DuplicateRecordError('deals', [external]),
    );
    expect(database.sent[1]?.values).toEqual(['acme', 'deals', null, '7', null]);
  });

  it('is compared with every other record, outside what has failed [2.8]', async () => {
    const found = [{ unique_key: 'e', external_id: null }];
    await collide(KEY, { found });
    expect(database.sent[1]).toEqual({
      name: 'record_find_collisions',
      values: ['acme', 'contacts', 'a@x.test', '7', null],
    });
    expect(database.events).toEqual(['SAVEPOINT', 'record_insert', 'ROLLBACK TO', 'record_find_collisions']);
    await collide(KEY, { objectType: 'companies', id: 'itself', found });
    expect(database.sent[3]?.values).toEqual(['acme', 'companies', 'x.test', '7', 'itself']);
  });

  it('compares no key that it clears or leaves as it is', async () => {
    database.fail('record_update', violation(KEY));
    database.answer('record_find_collisions', [{ unique_key: 'e', external_id: null }]);
    const update = { ...values('contacts', { email: null }), id: 'a' };
    await expect(records.update(database.tx, ACME, update)).rejects.toThrow();
    expect(database.sent[1]?.values).toEqual(['acme', 'contacts', null, null, 'a']);
  });

  it('fails with any other error as it is, and asks nothing more', async () => {
    const lost = new Error('connection lost');
    database.fail('record_insert', lost);
    await expect(records.insert(database.tx, ACME, values('contacts', {}))).rejects.toBe(lost);
    expect(database.sent).toHaveLength(1);
  });
});

describe('one record', () => {
  const key = { objectType: 'deals', id: 'd' } as const;

  it('is viewed with extra properties [2.3, 2.8, 5.3]', async () => {
    database.answer('record_view_deals_5', [{ view: { id: 'd' } }]);
    expect(await records.findView(database.tx, ACME, { ...key, extras: ['city'], userFields: [] })).toEqual({
      id: 'd',
    });
    expect(await records.findView(database.tx, ACME, { ...key, extras: [], userFields: [] })).toBeUndefined();
    expect(database.sent).toEqual([
      { name: 'record_view_deals_5', values: ['acme', 'deals', 'd', ['city'], [',"city":']] },
      { name: 'record_view_deals_0', values: ['acme', 'deals', 'd'] },
    ]);
  });

  it('is found, locked and archived by account, type and id [2.8, 5.3]', async () => {
    for (const name of ['record_find', 'record_lock', 'record_archive']) {
      database.answer(name, [storedContact(name)]);
    }
    expect(await records.find(database.tx, ACME, key)).toEqual(storedContact('record_find'));
    expect(await records.lock(database.tx, ACME, key)).toEqual(storedContact('record_lock'));
    expect(await records.archive(database.tx, ACME, { ...key, archivedBy: 'client' })).toEqual(
      storedContact('record_archive'),
    );
    expect(database.sent).toEqual([
      { name: 'record_find', values: ['acme', 'deals', 'd'] },
      { name: 'record_lock', values: ['acme', 'deals', 'd', false] },
      { name: 'record_archive', values: ['acme', 'deals', 'd', 'client', null, 'off'] },
    ]);
  });

  it('is undefined where there is none', async () => {
    expect(await records.find(database.tx, ACME, key)).toBeUndefined();
    expect(await records.lock(database.tx, ACME, key)).toBeUndefined();
    expect(await records.archive(database.tx, ACME, { ...key, archivedBy: 'c' })).toBeUndefined();
  });
});
