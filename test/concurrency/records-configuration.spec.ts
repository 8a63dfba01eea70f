import { archiveUser } from '../support/archive-user.js';
import { expectError } from '../support/error-object.js';
import { mail, people, RoutingAccount } from '../support/routing-account.js';
import { storedRecords } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/**
 * Returns an account whose configuration is in the service's cache, and from which the user zoe was removed
 * afterwards.
 */
async function withOutdatedCache(): Promise<{ account: RoutingAccount; id: string }> {
  const account = await RoutingAccount.open(service, { users: people(['ada', 'zoe']) });
  const id = await account.contact({ contact_owner: mail('zoe') });
  await archiveUser(account, mail('zoe'));
  return { account, id };
}

const PROBLEM = {
  field: 'contact_owner',
  message: 'contact_owner is not a user of the account (send an id or e-mail)',
};
const REFUSAL = { ...PROBLEM, errors: [PROBLEM] };

describe('A write that was validated against a configuration that has changed since', () => {
  it('creates nothing and is validated again [2.6, 2.8, contract 3]', async () => {
    const { account } = await withOutdatedCache();
    const before = await storedRecords(service);
    const response = await account.api.post('/contacts', {
      fields: { first_name: 'Late', contact_owner: mail('zoe') },
    });
    expectError(response, 400, REFUSAL);
    expect(await storedRecords(service)).toEqual(before);
  });

  it('updates nothing and is validated again [2.6, 4.4, contract 3]', async () => {
    const { account, id } = await withOutdatedCache();
    const before = await storedRecords(service);
    const response = await account.api.patch(`/contacts/${id}`, {
      fields: { first_name: 'Late', contact_owner: mail('zoe') },
    });
    expectError(response, 400, REFUSAL);
    expect(await storedRecords(service)).toEqual(before);
  });

  it('goes through where it still fits [2.6, 4.3, 4.4]', async () => {
    const { account, id } = await withOutdatedCache();
    const fields = { contact_owner: mail('ada') };
    expect((await account.api.patch(`/contacts/${id}`, { fields })).status).toBe(200);
    expect((await account.api.post('/contacts', { fields: { first_name: 'New', ...fields } })).status).toBe(
      201,
    );
  });
});
