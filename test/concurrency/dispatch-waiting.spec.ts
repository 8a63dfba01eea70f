import { Client } from 'pg';
import { DispatchRunner } from '../../src/dispatch/transaction/dispatch-runner.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/stored-records.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

let service: TestService;
let holders: Client[] = [];

beforeAll(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  await Promise.all(holders.map((holder) => holder.end()));
  holders = [];
});
afterAll(() => service.stop());

/** Locks a record in a transaction that stays open until it is told to commit. */
async function hold(id: string): Promise<Client> {
  const holder = new Client({ connectionString: service.database.url });
  holders.push(holder);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM records WHERE id = $1 FOR UPDATE', [id]);
  return holder;
}

/** Changes the locked record and commits. @returns its time of change, as stored in the record */
async function changeAndRelease(holder: Client, id: string): Promise<Date> {
  const { rows } = await holder.query(
    `UPDATE records SET updated_at = clock_timestamp(), fields = fields || '{"city": "Paris"}' WHERE id = $1
     RETURNING updated_at`,
    [id],
  );
  await holder.query('COMMIT');
  return rows[0].updated_at;
}

/** Waits until that number of statements wait for a lock. */
const waiting = (count: number): Promise<unknown> =>
  waitFor(`${count} statements to wait for a lock`, async () => {
    const [row] = await sql<{ count: number }>(
      service,
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.count === count;
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
    const holder = await hold(id);
    const dispatch = account.dispatch('R', id);
    await waiting(1);
    const changed = await changeAndRelease(holder, id);
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
    const [one, other] = [await hold(first), await hold(last)];
    await account.routerId('R');
    const dispatches = [account.dispatch('R', first)];
    await waiting(1);
    dispatches.push(...ids.slice(1).map((id) => account.dispatch('R', id)));
    await changeAndRelease(one, first);
    await dispatches[0];
    await waiting(1);
    const changed = await changeAndRelease(other, last);
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
    const holder = await hold(last);
    const running = service.app
      .get(DispatchRunner, { strict: false })
      .run(await service.account(account.slug), await account.routerId('R'), [first, last]);
    await waiting(1);
    const changed = await changeAndRelease(holder, last);
    expect((await running).map(({ ok }) => ok)).toEqual([true, true]);
    for (const id of [first, last]) {
      const body = await read(account, id);
      expect(body.contact_owner_assigned_date >= changed.toISOString()).toBe(true);
    }
  });
});

describe('A change of the configuration', () => {
  it('waits for the dispatches under way, and those sent after it wait for the change [contract 4]', async () => {
    const account = await open();
    const [one = '', other = ''] = await account.contacts(2);
    const holder = await hold(one);
    const dispatch = account.dispatch('R', one);
    await waiting(1);
    const change = account.apply({ routers: [{ name: 'R', users: people(['zoe']) }] });
    await waiting(2);
    const next = account.dispatch('R', other);
    await changeAndRelease(holder, one);
    expect((await dispatch).body.user).toBe(mail('ada'));
    await change;
    expect((await next).body.user).toBe(mail('zoe'));
  });
});

describe('A PATCH that waited for a dispatch', () => {
  it('does not set the times of the record back [2.5, 3, 4.4, 4.6, contract 4]', async () => {
    const account = await open();
    const id = await account.contact();
    const holder = await hold(id);
    const dispatch = account.dispatch('R', id);
    await waiting(1);
    const patch = account.api.patch(`/contacts/${id}?properties=contact_owner_assigned_date`, {
      fields: { contact_owner: mail('zoe') },
    });
    await waiting(2);
    await changeAndRelease(holder, id);
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
