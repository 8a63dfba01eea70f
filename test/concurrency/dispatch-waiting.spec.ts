// Services of its own: they wait longer for locks.
import { DispatchRunner } from '../../src/dispatch/transaction/dispatch-runner.js';
import { HeldRecords } from '../support/database/held-records.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

let service: TestService;
let second: TestService;
const held = new HeldRecords(() => service);

beforeAll(async () => {
  // Longer than a slow machine takes for a test. A dispatch that waits longer for its lock starts anew, and
  // what came after it may come before it then.
  const limits = { lock: 4_000 };
  service = await TestService.start({ limits });
  second = await TestService.start({ limits, database: service.database });
});
afterEach(() => held.release());
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const open = (): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: people(['ada', 'zoe']),
    routers: [router('R', { overwrite: true }, { users: people(['ada']) })],
  });

const read = async (account: RoutingAccount, id: string): Promise<any> =>
  (await account.api.get(`/contacts/${id}?properties=city,contact_owner_assigned_date`)).body;

describe('The time of an assignment', () => {
  it('is later than a change that the dispatch waited for [2.5, 4.6, contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    const holder = await held.hold(id);
    const dispatch = account.dispatch('R', id);
    await held.waiting(1);
    const changed = await held.changeAndRelease(holder, id);
    expect((await dispatch).body.success).toBe(true);
    const body = await read(account, id);
    expect(body).toMatchObject({ city: 'Paris', contact_owner: mail('ada') });
    expect(body.updated_at >= changed.toISOString()).toBe(true);
    expect(body.contact_owner_assigned_date).toBe(body.updated_at);
  });

  it('is later than a change that dispatches of the same moment waited for together [2.5, 4.6, contract 4]', async () => {
    const account = await open();
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.push(await account.contact());
    const [first, , , last] = ids as [string, string, string, string];
    // The first dispatch has to wait, so that the others collect behind it. Then the last of them has to
    // wait.
    const [one, other] = [await held.hold(first), await held.hold(last)];
    await account.routerId('R');
    const dispatches = [account.dispatch('R', first)];
    await held.waiting(1);
    dispatches.push(...ids.slice(1).map((id) => account.dispatch('R', id)));
    await held.changeAndRelease(one, first);
    await dispatches[0];
    await held.waiting(1);
    const changed = await held.changeAndRelease(other, last);
    for (const response of await Promise.all(dispatches)) expect(response.body.success).toBe(true);
    const body = await read(account, last);
    expect(body).toMatchObject({ city: 'Paris', contact_owner: mail('ada') });
    expect(body.updated_at >= changed.toISOString()).toBe(true);
    expect(body.contact_owner_assigned_date).toBe(body.updated_at);
  });
});

describe('The time of assignments that share a transaction', () => {
  it('is later than a change to any of their records that it waited for [2.5, 4.6, contract 4]', async () => {
    const account = await open();
    const [first, last] = [await account.contact(), await account.contact()];
    const holder = await held.hold(last);
    const routerId = await account.routerId('R');
    const runs = [first, last].map((objectId) => ({ routerId, objectId }));
    const running = service.app
      .get(DispatchRunner, { strict: false })
      .run(await service.account(account.slug), runs, { waits: true });
    await held.waiting(1);
    const changed = await held.changeAndRelease(holder, last);
    expect(await running).toMatchObject([{ ok: true }, { ok: true }]);
    for (const id of [first, last]) {
      const body = await read(account, id);
      expect(body.contact_owner_assigned_date >= changed.toISOString()).toBe(true);
    }
  });
});

describe('A change of the configuration', () => {
  it('waits for the dispatches under way, and those sent after it wait for the change [contract 4]', async () => {
    const account = await open();
    const [before = '', one = '', other = ''] = await account.contacts(3);
    await account.assign('R', before);
    // What the dispatch writes last is held, so that it stays under way.
    const holder = await held.holdRotations();
    const dispatch = account.dispatch('R', one);
    await held.waitingIn('INSERT INTO rotations');
    const change = account.apply({ routers: [{ name: 'R', users: people(['zoe']) }] });
    await held.waitingIn('UPDATE "accounts"');
    // Through another service: the first one sends it only when the dispatch before it has ended, and a
    // statement of that very moment may pass one that is about to wake.
    const next = account.through(second).dispatch('R', other);
    await held.waiting(3);
    await holder.query('COMMIT');
    expect((await dispatch).body.user).toBe(mail('ada'));
    await change;
    expect((await next).body.user).toBe(mail('zoe'));
  });
});

describe('A PATCH that waited for a dispatch', () => {
  it('does not set the times of the record back [2.5, 3, 4.4, 4.6, contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    const holder = await held.hold(id);
    const dispatch = account.dispatch('R', id);
    await held.waiting(1);
    const patch = account.api.patch(`/contacts/${id}?properties=contact_owner_assigned_date`, {
      fields: { contact_owner: mail('zoe') },
    });
    await held.waiting(2);
    await held.changeAndRelease(holder, id);
    expect((await dispatch).body.success).toBe(true);
    const { status, body } = await patch;
    expect({ status, owner: body.contact_owner }).toEqual({ status: 200, owner: mail('zoe') });
    const [run] = await account.log();
    expect(body.contact_owner_assigned_date).toBe(body.updated_at);
    // The stored time is that of the later of the two.
    const later = [body.updated_at, run!.created_at.toISOString()].sort().at(-1);
    const { body: left } = await account.api.get(`/contacts/${id}?properties=contact_owner_assigned_date`);
    expect([left.updated_at, left.contact_owner_assigned_date]).toEqual([later, later]);
  });
});
