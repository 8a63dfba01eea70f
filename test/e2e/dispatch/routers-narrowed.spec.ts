import { expectInvalid } from '../../support/error-object.js';
import { condition } from '../../support/database/trigger-table.js';
import { mail, people, router, RoutingAccount } from '../../support/routing-account.js';
import { TestService } from '../../support/test-service.js';

let service: TestService;
let account: RoutingAccount;

const rule = (more: object) => ({ rules: [{ name: 'Gold', trigger: { groups: [] }, ...more }] });

beforeAll(async () => {
  service = await TestService.shared();
  account = await RoutingAccount.open(service, {
    users: people(['ada', 'bob', 'eve']),
    teams: [{ name: 'Sales', members: [mail('bob'), mail('ada')] }, { name: 'Few', members: [mail('eve')] }],
    routers: [
      router('Pool', {}, { users: people(['ada']) }),
      router('Team', {}, { teams: [{ name: 'Sales' }] }),
      router('Rule', rule({ users: people(['ada']) }), { users: people(['eve']) }),
      router('Step', rule({ users: people(['eve']), steps: [{ teams: [{ name: 'Sales' }] }] })),
      router('Backup', { default_user: mail('ada') }, { users: people(['bob']) }),
      router('Compared', { trigger: condition('contact_owner', 'eq', mail('ada')) }, { users: people(['eve']) }),
      router('Deals', {}, { object_type: 'deals', users: people(['eve']) }),
    ],
  });
}); // prettier-ignore
afterAll(() => service.stop());

const names = async (query: string): Promise<string[]> => {
  const { status, body } = await account.api.get(`/routers?${query}`);
  expect(status).toBe(200);
  expect(body.pagination.count).toBeGreaterThanOrEqual(body.data.length);
  return body.data.map(({ name }: any) => name);
};

describe('GET /routers, narrowed', () => {
  it('has those that list a user, alone, in a team or as the backup, and not those that compare with one [contract 6]', async () => {
    const [ada] = (await account.api.get('/users?q=ada')).body.data;
    const listing = ['Pool', 'Team', 'Rule', 'Step', 'Backup'];
    expect(await names(`user=${mail('ada')}`)).toEqual(listing);
    expect(await names(`user=${mail('ADA')}`)).toEqual(listing);
    expect(await names(`user=${ada.id}`)).toEqual(listing);
    expect(await names(`user=${mail('bob')}`)).toEqual(['Team', 'Step', 'Backup']);
    expect(await names('user=nobody@example.test')).toEqual([]);
  });

  it('goes on behind a page, and counts what it finds [contract 6]', async () => {
    const { body: first } = await account.api.get(`/routers?user=${mail('ada')}&limit=3`);
    expect(first.pagination).toMatchObject({ count: 5, next: expect.any(String) });
    expect(await names(`user=${mail('ada')}&limit=3&after=${first.pagination.next}`)).toEqual([
      'Step',
      'Backup',
    ]);
  });

  it('has those of some ids, and of a type; all of what is asked for must hold [contract 6]', async () => {
    const [pool, team, deals] = await Promise.all(
      ['Pool', 'Team', 'Deals'].map((name) => account.routerId(name)),
    );
    expect(await names(`id=${deals},${pool}`)).toEqual(['Pool', 'Deals']);
    expect(await names(`id=${deals}&id=nonsense`)).toEqual(['Deals']);
    expect(await names('id=nonsense')).toEqual([]);
    expect(await names('object_type=deals')).toEqual(['Deals']);
    expect(await names(`id=${deals},${team}&user=${mail('bob')}`)).toEqual(['Team']);
    expect(await names(`id=${deals},${team}&object_type=contacts&q=te`)).toEqual(['Team']);
  });

  it('refuses no ids, too many, and no such type [contract 1, contract 6]', async () => {
    const many = Array.from({ length: 101 }, (_, n) => n).join();
    for (const sent of ['', 'a,,b', many])
      expectInvalid(await account.api.get(`/routers?id=${sent}`), ['id', 'id must be 1 to 100 texts']);
    expectInvalid(await account.api.get('/routers?object_type=people'), [
      'object_type',
      'object_type must be one of contacts, companies, deals, tickets',
    ]);
    expectInvalid(await account.api.get('/routers?brief=1'), ['brief', 'brief must be true or false']);
  });

  it('is brief where that is asked for, with the status, too [contract 6]', async () => {
    const { body: whole } = await account.api.get('/routers?expand=status');
    const { body: brief } = await account.api.get('/routers?expand=status&brief=true');
    const rest = whole.data.map(({ settings: _, users: __, teams: ___, ...each }: any) => each);
    expect(brief).toEqual({ data: rest, pagination: whole.pagination });
    expect(whole.data[0].users).toHaveLength(1);
  });
});
