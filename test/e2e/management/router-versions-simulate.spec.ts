import type { ApiClient } from '../../support/api-client.js';
import { archiveUser } from '../../support/archive-user.js';
import { expectError, expectInvalid } from '../../support/error-object.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;
let path: string;

const pick = (...names: string[]) => ({ users: people(names) });

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

/** A router whose version 1 has Ada, version 2 Bob and the draft Eve. */
beforeEach(async () => {
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    routers: [router('R', {}, pick('ada'))],
  });
  admin = await service.login(account.slug, ['manage']);
  await account.apply({ routers: [{ name: 'R', ...pick('bob') }] });
  path = `/routers/${await account.routerId('R')}`;
  await admin.patch(path, pick('eve'));
});

const simulate = (version?: unknown) => account.simulate('R', { fields: {}, version });
const who = async (version?: unknown): Promise<string> => {
  const { body } = await simulate(version);
  return body.user ?? body.reason;
};
const who4 = () => Promise.all([who(), who('live'), who('draft'), who(1)]);

describe('A simulation of a version', () => {
  it('is of what is live, of the draft, or of an earlier one, and writes nothing [contract 6]', async () => {
    expect(await who4()).toEqual([mail('bob'), mail('bob'), mail('eve'), mail('ada')]);
    expect(await account.log()).toEqual([]);
    expect(await account.assign('R')).toBe('bob');
  });

  it('runs a version of an unpublished router as if it were published; a dispatch does not [contract 6]', async () => {
    await admin.post(`${path}/unpublish`);
    expect(await who4()).toEqual(['router_unpublished', 'router_unpublished', mail('eve'), mail('ada')]);
    expect(await account.assign('R')).toBe('router_unpublished');
  });

  it('runs the draft of a router that was never published [contract 6]', async () => {
    await admin.post('/routers', { name: 'New', object_type: 'contacts', settings: {}, ...pick('eve') });
    const { body } = await account.simulate('New', { fields: {}, version: 'draft' });
    expect(body.user).toBe(mail('eve'));
  });

  it('takes the record, the users and all else as they are now [contract 6]', async () => {
    await account.apply({ users: [{ email: mail('eve'), available: false }] });
    expect(await who('draft')).toBe('no_users_available');
    await account.apply({ users: [{ email: mail('eve'), available: true }] });
    const object_id = await account.contact();
    expect((await account.simulate('R', { object_id, version: 'draft' })).body.user).toBe(mail('eve'));
  });

  it('is refused for a version that could not be published any more [contract 6]', async () => {
    await archiveUser(account, mail('ada'));
    expectInvalid(await simulate(1), [
      'version',
      'This version cannot be published: users[0].email: This user of the pool is none of the account any more',
    ]);
  });

  it('is unknown where the version is [contract 6]', async () => {
    expectError(await simulate(3), 404, { message: 'Version not found' });
    await admin.delete(`${path}/draft`);
    expectError(await simulate('draft'), 404, { message: 'This router has no draft' });
  });

  it.each([0, -1, 1.5, 2 ** 31, '1', 'last', null, true, [1]])(
    'is refused for a version that is none: %j [contract 1, contract 6]',
    async (version) => {
      const message = 'version must be live, draft or the number of a version';
      expectInvalid(await simulate(version), ['version', message]);
    },
  );
});
