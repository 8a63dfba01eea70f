import { FakeDatabase } from '../../test/units/fake-database.js';
import { counterOf, type CountedRecords } from './counts/counted-records.js';
import type { CounterKeeper } from './counts/counter-keeper.js';
import { OWN_OWNER } from './counts/record-counts.statements.js';
import { OwnedRecordsRepository } from './owned-records.repository.js';

const ACME = { accountId: 'acme' };
const OWNERS = ['ada@acme.test', 'bob@acme.test'];
const needed: unknown[] = [];
const keeper = { need: (each: unknown) => needed.push(each) } as unknown as CounterKeeper;
const owned = new OwnedRecordsRepository(keeper);

const READY = { email: null, count: 0 };
const ADA = { email: 'ada@acme.test', count: 3 };

describe('OwnedRecordsRepository', () => {
  const having = { field: 'lifecycle_stage', values: ['lead', 'customer'] };
  const count = async (database: FakeDatabase, of: Partial<CountedRecords>): Promise<unknown> =>
    owned.count(database.tx, ACME, {
      objectType: 'contacts',
      ownerField: 'contact_owner',
      owners: OWNERS,
      ...of,
    });

  it('adds up the counts of owners by the own owner field [contract 4]', async () => {
    const database = new FakeDatabase();
    database.answer('record_count_owned', [ADA]);
    expect(await count(database, {})).toEqual(new Map([['ada@acme.test', 3]]));
    expect(database.sent).toEqual([
      { name: 'record_count_owned', values: ['acme', 'contacts', OWNERS, OWN_OWNER] },
    ]);
  });

  describe.each([
    ['the own owner field and a value', 'contact_owner', having, 'record_count_owned_with_value', [having.field, having.values]],
    ['a custom owner field', 'partner', undefined, 'record_count_owned_by_field', ['partner']],
    ['a custom owner field and a value', 'partner', having, 'record_count_owned_by_field_with_value', [having.field, having.values, 'partner']],
    ['the owner field of another type', 'deal_owner', undefined, 'record_count_owned_by_field', ['deal_owner']],
  ])('by %s', (_, ownerField, condition, name, more) => {
    const of = { objectType: 'contacts', ownerField, ...(condition === undefined ? {} : { having: condition }) } as const;
    const asked = { name: 'record_count_by_counter', values: ['acme', 'contacts', OWNERS, counterOf(of)] };

    it('adds up what its counter has, where that is ready [contract 4]', async () => {
      const database = new FakeDatabase();
      database.answer('record_count_by_counter', [ADA, READY]);
      expect(await count(database, of)).toEqual(new Map([['ada@acme.test', 3]]));
      expect(database.sent).toEqual([asked]);
    });

    it('counts the records otherwise, whatever the counter has already [contract 4]', async () => {
      const database = new FakeDatabase();
      database.answer('record_count_by_counter', [{ ...ADA, count: 1 }]);
      database.answer(name, [ADA]);
      expect(await count(database, of)).toEqual(new Map([['ada@acme.test', 3]]));
      expect(database.sent).toEqual([asked, { name, values: ['acme', 'contacts', OWNERS, ...more] }]);
    });
  }); // prettier-ignore

  it('asks for the counters that a configuration needs', () => {
    const counted = [{ objectType: 'contacts', ownerField: 'partner' }] as const;
    const configuration = { version: '7', counted, name: 'more' };
    owned.need({ ...ACME, clientId: 'client' } as typeof ACME, configuration);
    expect(needed).toEqual([{ accountId: 'acme', version: '7', counted }]);
  });

  it("finds owners by the type's own key and in its own owner field [contract 4]", async () => {
    const database = new FakeDatabase();
    const found = [{ key: 'x.test', id: 'c', owner: null }];
    database.answer('record_find_owners_by_key', found);
    const keys = ['x.test', 'y.test'];
    expect(await owned.findByKey(database.tx, ACME, { objectType: 'companies', keys })).toEqual(found);
    expect(database.sent).toEqual([
      { name: 'record_find_owners_by_key', values: ['acme', 'companies', keys, 'company_owner'] },
    ]);
  });
});
