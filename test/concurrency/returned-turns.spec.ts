// Services of its own, at their default limits of time: clients come again where these are met.
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;

beforeAll(async () => {
  service = await TestService.start({ obedient: true });
});
afterAll(() => service.stop());

const open = (): Promise<RoutingAccount> => {
  const pool = { users: people(['ada', 'bob', 'eve']) };
  const routers = [router('R', { overwrite: true, reimburse_within_minutes: 10 }, pool)];
  return RoutingAccount.open(service, { ...pool, routers });
};

/** The assignments of a record that were returned, and those that were not, oldest first. */
const returnedOf = (id: string): Promise<{ user: string; returned: boolean; owed: boolean }[]> =>
  sql(
    service,
    `SELECT u.email AS "user", a.returned_at IS NOT NULL AS returned, a.turn_owed AS owed
     FROM assignments a JOIN users u ON u.account_id = a.account_id AND u.id = a.user_id
     WHERE a.object_id = $1 ORDER BY a.id`,
    [id],
  );

const sumOf = async (account: RoutingAccount): Promise<bigint> => {
  const ledger = (await account.rotation('R')).ledgers.get('users');
  return [...(ledger?.values() ?? [])].reduce((total, { credit }) => total + credit, 0n);
};

describe('A turn whose record changes hands several times at once', () => {
  it('is returned once, whichever of several updates comes first [contract 4]', async () => {
    const account = await open();
    const ids = await account.contacts(12);
    await account.assignEach('R', ids);
    const updates = ids.flatMap((id) =>
      ['bob', 'ada', 'eve'].map((owner) =>
        account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail(owner) } }),
      ),
    );
    expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(Array(36).fill(200));
    for (const id of ids) expect(await returnedOf(id)).toMatchObject([{ returned: true, owed: true }]);
    expect(['ada', 'bob', 'eve']).toContain(await account.turns('R', 1));
    for (const id of ids) expect(await returnedOf(id)).toMatchObject([{ returned: true, owed: false }]);
    expect(await sumOf(account)).toBe(0n);
  });

  it('is returned once, by whichever of an update, a dispatch and an archive comes first [contract 4]', async () => {
    const account = await open();
    const ids = await account.contacts(12);
    await account.assignEach('R', ids);
    const before = new Map(await Promise.all(ids.map(async (id) => [id, await returnedOf(id)] as const)));
    const requests = ids.flatMap((id) => [
      account.api.patch(`/contacts/${id}`, { fields: { contact_owner: null } }),
      account.api.delete(`/contacts/${id}`),
      account.dispatch('R', id),
    ]);
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    for (const id of ids) {
      // Whoever the dispatch gave the record to has lost it, too: it is archived.
      const log = await returnedOf(id);
      expect(log[0]).toMatchObject({ user: before.get(id)![0]!.user, returned: true });
      expect(log.filter(({ returned }) => !returned)).toEqual([]);
    }
    expect(['ada', 'bob', 'eve']).toContain(await account.turns('R', 1));
    expect(await sumOf(account)).toBe(0n);
  });

  it('is that of each assignment that loses the record, once [contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    expect(await account.assign('R', id)).toBe('bob');
    expect((await returnedOf(id)).map(({ returned }) => returned)).toEqual([true, false]);
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('eve') } });
    expect((await returnedOf(id)).map(({ returned }) => returned)).toEqual([true, true]);
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('ada') } });
    // Eve has had the turn of bob, and ada none.
    expect(await account.turns('R', 2)).toBe('ada bob');
    expect(await sumOf(account)).toBe(0n);
  });

  it('is left alone by a run that assigned nobody since [contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    await account.apply({ users: people(['ada', 'bob', 'eve'], { available: false }) });
    expect(await account.assign('R', id)).toBe('no_users_available');
    await account.apply({ users: people(['ada', 'bob', 'eve'], { available: true }) });
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    expect(await account.turns('R', 1)).toBe('ada');
  });

  it('is returned to a router whose own requests of that moment are all refused [contract 4]', async () => {
    const users = people(['ada', 'bob', 'eve']);
    const settings = { overwrite: true, reimburse_within_minutes: 10 };
    const account = await RoutingAccount.open(service, {
      users,
      routers: [router('R', settings, { users }), router('S', settings, { users: people(['eve']) })],
    });
    const refused = await account.contact();
    await account.api.delete(`/contacts/${refused}`);
    for (let round = 0; round < 5; round++) {
      const [taken, first] = await account.contacts(2);
      const owner = await account.assign('R', taken);
      // The first one occupies the account, so that the others share the transaction behind it.
      const sent = [
        account.dispatch('S', first!),
        account.dispatch('R', refused),
        account.dispatch('S', taken!),
      ];
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 409, 200]);
      if (owner !== 'eve') expect(await account.turns('R', 1)).toBe(owner);
      expect(await sumOf(account)).toBe(0n);
    }
  });
});
