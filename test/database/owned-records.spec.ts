import type { AccountContext } from '../../src/accounts/index.js';
import { Database } from '../../src/database/index.js';
import { OwnedRecordsRepository } from '../../src/records/owned-records.repository.js';
import { mail, people, RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let context: AccountContext;

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob']),
    fields: [{ object_type: 'contacts', internal_name: 'sdr', type: 'user' }],
  });
  context = await service.account(account.slug);
  for (const [owner, sdr, city] of [
    ['ada', 'bob', 'Oslo'],
    ['ada', 'bob', 'Rome'],
    ['bob', 'bob', 'Oslo'],
    ['bob', 'ada', 'Bonn'],
  ] as const)
    await account.contact({ contact_owner: mail(owner), sdr: mail(sdr), city });
});
afterAll(() => service.stop());

// No configuration has asked for these counts, so none is ready.
it.each([
  ['contact_owner', ['Oslo'], { ada: 1, bob: 1 }],
  ['contact_owner', ['Oslo', 'Rome'], { ada: 2, bob: 1 }],
  ['sdr', ['Oslo'], { bob: 2 }],
  ['sdr', ['Rome', 'Bonn'], { ada: 1, bob: 1 }],
  ['sdr', undefined, { ada: 1, bob: 3 }],
])(
  'Records of a %s that have one of the values %j are counted before they are counters [contract 4]',
  async (ownerField, values, counts) => {
    const database = service.app.get(Database, { strict: false });
    const found = await service.app.get(OwnedRecordsRepository, { strict: false }).count(database, context, {
      objectType: 'contacts',
      ownerField,
      owners: [mail('ada'), mail('bob')],
      ...(values === undefined ? {} : { having: { field: 'city', values } }),
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(counts).map(([name, count]) => [mail(name), count])),
    );
  },
);
