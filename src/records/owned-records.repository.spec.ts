import { FakeDatabase } from '../database/testing/fake-database.js';
import { OWN_OWNER } from './counts/record-counts.statements.js';
import { OwnedRecordsRepository } from './owned-records.repository.js';

const ACME = { accountId: 'acme' };
const OWNERS = ['ada@acme.test', 'bob@acme.test'];
const owned = new OwnedRecordsRepository();

describe('OwnedRecordsRepository', () => {
  const having = { field: 'lifecycle_stage', values: ['lead', 'customer'] };

  it.each([
    ['the own owner field', 'contact_owner', undefined, 'record_count_owned', [OWN_OWNER]],
    ['the own owner field and a value', 'contact_owner', having, 'record_count_owned_with_value', [having.field, having.values]],
    ['a custom owner field', 'partner', undefined, 'record_count_owned_by_field', ['partner']],
    ['a custom owner field and a value', 'partner', having, 'record_count_owned_by_field_with_value', [having.field, having.values, 'partner']],
    ['the owner field of another type', 'deal_owner', undefined, 'record_count_owned_by_field', ['deal_owner']],
  ])('counts by %s [contract 4]', async (_, ownerField, condition, name, more) => {
    const database = new FakeDatabase();
    database.answer(name, [{ email: 'ada@acme.test', count: 3 }]);
    const counts = await owned.count(database.tx, ACME, {
      objectType: 'contacts',
      ownerField,
      owners: OWNERS,
      ...(condition === undefined ? {} : { having: condition }),
    });
    expect(counts).toEqual(new Map([['ada@acme.test', 3]]));
    expect(database.sent).toEqual([{ name, values: ['acme', 'contacts', OWNERS, ...more] }]);
  }); // prettier-ignore

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
