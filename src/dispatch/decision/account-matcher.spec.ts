import { routerOf, stored } from '../../../test/units/configuration.js';
import type { Queryable } from '../../database/index.js';
import type { OwnedRecordsRepository, RecordOwner, StoredRecord } from '../../records/index.js';
import { storedContact } from '../../../test/units/stored-contact.js';
import { snapshotOf } from '../../../test/units/decisions.js';
import { AccountMatcher } from './account-matcher.js';

const db = {} as Queryable;

/** Companies by host; the id of each is made from its host. */
class FakeCompanies {
  /** What each look-up asked for. */
  readonly asked: { accountId: string; objectType: string; keys: readonly string[] }[] = [];

  constructor(private readonly owners: Readonly<Record<string, string | null>>) {}

  findByKey(
    queryable: unknown,
    { accountId }: { accountId: string },
    { objectType, keys }: { objectType: string; keys: readonly string[] },
  ): Promise<RecordOwner[]> {
    expect(queryable).toBe(db);
    this.asked.push({ accountId, objectType, keys });
    const known = keys.filter((key) => key in this.owners);
    return Promise.resolve(known.map((key) => ({ key, id: `id-${key}`, owner: this.owners[key] ?? null })));
  }
}

const snapshot = (accountMatching: boolean) =>
  snapshotOf({ routers: [routerOf('R', [], { settings: stored({ accountMatching }) })] }, 'R');

const match = (companies: FakeCompanies, records: readonly StoredRecord[], matches = true) =>
  new AccountMatcher(companies as unknown as OwnedRecordsRepository).match(db, [
    { snapshot: snapshot(matches), records },
  ]);

const from = (id: string, email: string): StoredRecord => storedContact(id, { email });

describe('AccountMatcher', () => {
  it('finds the company of each contact by the host of its address, all with one look-up [contract 4]', async () => {
    const companies = new FakeCompanies({ 'acme.com': 'ada@x.test', 'initech.com': null });
    const contacts = [
      from('a', 'a@ACME.com'),
      from('b', 'b@other.org'),
      from('c', 'c@www.initech.com'),
      from('d', 'd@acme.com'),
    ];
    expect(await match(companies, contacts)).toEqual(
      new Map([
        ['a', { companyId: 'id-acme.com', host: 'acme.com', owner: 'ada@x.test' }],
        ['c', { companyId: 'id-initech.com', host: 'initech.com', owner: null }],
        ['d', { companyId: 'id-acme.com', host: 'acme.com', owner: 'ada@x.test' }],
      ]),
    );
    expect(companies.asked).toEqual([
      { accountId: 'acme', objectType: 'companies', keys: ['acme.com', 'other.org', 'initech.com'] },
    ]);
  });

  it('takes the nearest domain above a subdomain that has a company [contract 4]', async () => {
    const companies = new FakeCompanies({ 'acme.com': 'far@x.test', 'emea.acme.com': 'near@x.test' });
    const found = await match(companies, [from('a', 'a@mail.emea.acme.com'), from('b', 'b@us.acme.com')]);
    expect([...found.values()].map(({ owner }) => owner)).toEqual(['near@x.test', 'far@x.test']);
  });

  it.each([
    ['acme.com', ['acme.com']],
    ['mail.emea.acme.com', ['mail.emea.acme.com', 'emea.acme.com', 'acme.com']],
    ['mail.acme.co.uk', ['mail.acme.co.uk', 'acme.co.uk']],
    ['Mail.ACME.com.', ['mail.acme.com', 'acme.com']],
  ])('looks for the hosts of %s down to the registrable one [contract 4]', async (domain, keys) => {
    const companies = new FakeCompanies({});
    await match(companies, [from('a', `ada@${domain}`)]);
    expect(companies.asked).toMatchObject([{ keys }]);
  });

  it.each([
    ['a free-mail address', 'ada@gmail.com'],
    ['a host below a free-mail domain', 'ada@eu.GMail.com'],
    ['a free-mail domain below a suffix of two parts', 'ada@yahoo.co.uk'],
    ['a public suffix', 'ada@co.uk'],
    ['a name without a suffix', 'ada@localhost'],
    ['no domain', 'ada@'],
    ['text that is no address', 'acme.com'],
    ['what stands before the last @', '"x@acme.com"@gmail.com'],
  ])('looks for no company of %s [contract 4]', async (_, email) => {
    const companies = new FakeCompanies({ 'acme.com': 'ada@x.test', 'gmail.com': 'ada@x.test' });
    expect((await match(companies, [from('a', email), storedContact('b')])).size).toBe(0);
    expect(companies.asked).toEqual([]);
  });

  it('looks for none unless the router matches accounts [contract 4]', async () => {
    const companies = new FakeCompanies({ 'acme.com': 'ada@x.test' });
    expect((await match(companies, [from('a', 'a@acme.com')], false)).size).toBe(0);
    expect(companies.asked).toEqual([]);
  });
});
