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

/** The assignments of a record that were returned, and those that were not, oldest first. */
const returnedOf = (id: string): Promise<{ user: string; returned: boolean; owed: boolean }[]> =>
  sql(
    service,
    `SELECT a.user_email AS "user", r.assignment_id IS NOT NULL AS returned, r.rotation_key IS NOT NULL AS owed
     FROM assignments a LEFT JOIN returned_assignments r
       ON r.account_id = a.account_id AND r.assignment_id = a.id
     WHERE a.object_id = $1 AND a.user_email IS NOT NULL ORDER BY a.id`,
    [id],
  );

const sumOf = async (account: RoutingAccount): Promise<bigint> => {
  const ledger = (await account.rotation('R')).ledgers.get('users');
  return [...(ledger?.values() ?? [])].reduce((total, { credit }) => total + credit, 0n);
};

describe('A turn whose record changes hands several times at once', () => {
  it('is returned once [contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    // The record is locked, so that the updates are all under way before the first of them takes it.
    const holder = await held.hold(id);
    const updates: Promise<unknown>[] = [];
    for (const owner of ['bob', 'ada', 'eve']) {
      updates.push(account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail(owner) } }));
      await held.waiting(updates.length);
    }
    await held.changeAndRelease(holder, id);
    await Promise.all(updates);
    expect((await account.api.get(`/contacts/${id}`)).body.contact_owner).toBe(mail('eve'));
    expect(await returnedOf(id)).toEqual([{ user: mail('ada'), returned: true, owed: true }]);
    // Ada is owed one turn, and bob is charged for it. If it were returned twice, she would have the next
    // two.
    expect(await account.turns('R', 3)).toBe('ada eve bob');
    expect(await returnedOf(id)).toEqual([{ user: mail('ada'), returned: true, owed: false }]);
    expect(await sumOf(account)).toBe(0n);
  });

  it('is returned once, by whichever of an update, a dispatch and an archive comes first [contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    expect(await account.assign('R', id)).toBe('ada');
    const holder = await held.hold(id);
    const update = account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('bob') } });
    await held.waiting(1);
    const archive = account.api.delete(`/contacts/${id}`);
    await held.waiting(2);
    const dispatch = account.dispatch('R', id);
    await held.waiting(3);
    await held.changeAndRelease(holder, id);
    expect([(await update).status, (await archive).status, (await dispatch).status]).toEqual([200, 200, 409]);
    expect(await returnedOf(id)).toEqual([{ user: mail('ada'), returned: true, owed: true }]);
    expect(await account.turns('R', 3)).toBe('ada eve bob');
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
});
