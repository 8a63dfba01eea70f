import { HeldRecords } from '../support/held-records.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
const held = new HeldRecords(() => service);

beforeAll(async () => {
  service = await TestService.start();
});
afterEach(() => held.release());
afterAll(() => service.stop());

const open = (): Promise<RoutingAccount> => {
  const pool = { users: people(['ada', 'bob', 'eve']) };
  const routers = [router('R', { overwrite: true, reimburse_within_minutes: 10 }, pool)];
  return RoutingAccount.open(service, { ...pool, routers });
};

describe('A turn whose record changes hands several times at once', () => {
  it('is returned once [contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    // A dispatch of another record holds the lock of the router, so that the updates are all under way before
    // the first of them returns the turn.
    const other = await account.contact();
    const holder = await held.hold(other);
    const dispatch = account.dispatch('R', other);
    await held.waiting(1);
    const updates: Promise<unknown>[] = [];
    for (const owner of ['bob', 'ada', 'eve']) {
      updates.push(account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail(owner) } }));
      await held.waiting(updates.length + 1);
    }
    await held.changeAndRelease(holder, other);
    expect((await dispatch).body.user).toBe(mail('bob'));
    await Promise.all(updates);
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('eve'));
    // Ada is owed one turn. If it were returned twice, she would have the next two.
    expect(await account.turns('R', 2)).toBe('ada eve');
    const sum = [...(await account.rotation('R')).ledgers.get('users')!.values()];
    expect(sum.reduce((total, { credit }) => total + credit, 0n)).toBe(0n);
  });

  it('is that of the last assignment: an earlier one is not returned any more [contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    expect(await account.assign('R', id)).toBe('bob');
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('eve') } });
    const log = await sql<{ returned: boolean }>(
      service,
      `SELECT turn IS NULL AS returned FROM assignments WHERE object_id = $1 ORDER BY id`,
      [id],
    );
    expect(log.map(({ returned }) => returned)).toEqual([false, true]);
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('ada') } });
    await account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    expect(await account.turns('R', 1)).toBe('bob');
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
});
