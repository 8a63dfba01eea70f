import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.shared();
});
afterAll(() => service.stop());

describe('Two accounts with the same names', () => {
  it('route by their own configuration, rotation and log [1, 4.6, 5.3, contract 4]', async () => {
    const users = people(['ada', 'bob']);
    const one = await RoutingAccount.open(service, { users, routers: [router('R', {}, { users })] });
    const two = await RoutingAccount.open(service, {
      users: [{ email: mail('ada'), available: false }, { email: mail('bob') }],
      routers: [router('R', {}, { users: [...users].reverse() })],
    });
    expect([await one.turns('R', 1), await two.turns('R', 2), await one.turns('R', 2)]).toEqual([
      'ada',
      'bob bob',
      'bob ada',
    ]);
    expect((await one.rotation('R')).seq).toBe(3);
    expect((await two.rotation('R')).seq).toBe(2);
    const owners = async (account: RoutingAccount): Promise<unknown[]> =>
      (await account.api.get('/contacts')).body.data.map(
        ({ contact_owner }: { contact_owner: string }) => contact_owner,
      );
    expect(await owners(one)).toEqual(['ada', 'bob', 'ada'].map(mail));
    expect(await owners(two)).toEqual(['bob', 'bob'].map(mail));
    expect((await one.log()).map((run) => run.user_email)).toEqual(['ada', 'bob', 'ada'].map(mail));
    expect((await two.log()).map((run) => run.user_email)).toEqual(['bob', 'bob'].map(mail));
  });

  it('have a scope of their own: dispatch alone is enough to dispatch [4.6, contract 2]', async () => {
    const users = people(['ada']);
    const account = await RoutingAccount.open(service, { users, routers: [router('R', {}, { users })] });
    const object_id = await account.contact();
    const dispatcher = await service.login(account.slug, ['dispatch']);
    const router_id = await account.routerId('R');
    const { status, body } = await dispatcher.post('/dispatch/router', { router_id, object_id });
    expect({ status, success: body.success }).toEqual({ status: 200, success: true });
    expect((await dispatcher.get(`/contacts/${object_id}`)).status).toBe(403);
  });
});
