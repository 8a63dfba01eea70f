// Services of its own, at their default limits of time: clients come again where these are met.
import { mail, people, router, RoutingAccount, tally } from '../support/routing-account.js';
import { TestService } from '../support/test-service.js';

const TEAM = ['ada', 'bob', 'eve', 'dan'];

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await TestService.start({ obedient: true });
  second = await TestService.start({ obedient: true, database: first.database });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const open = (settings: object, more: object = {}): Promise<RoutingAccount> =>
  RoutingAccount.open(first, {
    users: people([...TEAM, 'zoe']),
    routers: [router('R', settings, { users: people(TEAM), ...more })],
  });

/** Asserts that no request of either service ended in an internal error. */
const noInternalErrors = (): unknown[] =>
  [...first.logs, ...second.logs].filter(({ level }) => level === 'error' || level === 'fatal');

afterEach(() => expect(noInternalErrors()).toEqual([]));

describe('Dispatches among PATCHes of the same records', () => {
  it('lose no field, end in no error, and leave the rotation exact [3, 4.4, 4.6, contract 4]', async () => {
    const account = await open({ overwrite: true });
    const elsewhere = account.through(second);
    await Promise.all([account.routerId('R'), elsewhere.routerId('R')]);
    const ids = await account.contacts(8);
    const fields = ['city', 'state', 'country', 'phone', 'job_title', 'company_name'];

    const dispatches = ids.flatMap((id) =>
      [account, elsewhere, account, elsewhere].map((through) => through.dispatch('R', id)),
    );
    const patches = ids.flatMap((id) =>
      fields.map((field, index) =>
        (index % 2 === 0 ? account : elsewhere).api.patch(`/contacts/${id}`, {
          fields: { [field]: `${field} ${id}` },
        }),
      ),
    );
    const responses = await Promise.all([...dispatches, ...patches]);
    expect(tally(responses.map(({ status }) => String(status)))).toEqual({ 200: 32 + 48 });
    expect(responses.slice(0, 32).map(({ body }) => body.success)).toEqual(Array(32).fill(true));

    const log = await account.log();
    // A run that chooses the present owner takes no turn.
    const taken = log.flatMap(({ user_email }) => user_email ?? []);
    expect(taken).toEqual(taken.map((_, index) => mail(TEAM[index % TEAM.length]!)));
    expect((await account.rotation('R')).seq).toBe(taken.length);
    for (const id of ids) {
      const { body } = await account.api.get(`/contacts/${id}?properties=${fields.join(',')}`);
      expect(body).toMatchObject(Object.fromEntries(fields.map((field) => [field, `${field} ${id}`])));
      const runs = log.filter((run) => run.object_id === id);
      const owners = runs.map(({ user_email, previous_user }) => user_email ?? previous_user);
      expect(body.contact_owner).toBe(owners.at(-1));
      expect(runs.map((run) => run.previous_user)).toEqual([null, ...owners.slice(0, -1)]);
    }
  });

  it('see each other’s owners, one after the other [4.4, 4.6, contract 4]', async () => {
    const account = await open({ overwrite: false });
    await account.routerId('R');
    const ids = await account.contacts(20);
    const responses = await Promise.all(
      ids.map(async (id) => {
        const patch = account.api.patch(`/contacts/${id}`, { fields: { contact_owner: mail('zoe') } });
        return [await account.dispatch('R', id), await patch] as const;
      }),
    );
    const log = await account.log();
    for (const [index, [dispatch, patch]] of responses.entries()) {
      expect([dispatch.status, patch.status]).toEqual([200, 200]);
      const run = log.find(({ object_id }) => object_id === ids[index])!;
      // The owner that the PATCH sets stays in both orders. After the PATCH, the router may not overwrite the
      // owner. Before the PATCH, the router assigns a user, whom the PATCH replaces.
      expect(['owner_present', 'round_robin']).toContain(dispatch.body.reason);
      expect(run.reason).toBe(dispatch.body.reason);
      const { body } = await account.api.get(`/contacts/${ids[index]}`);
      expect(body.contact_owner).toBe(mail('zoe'));
    }
    const turns = log.filter(({ reason }) => reason === 'round_robin');
    expect((await account.rotation('R')).seq).toBe(turns.length);
  });
});

describe('Dispatches of records that are archived meanwhile', () => {
  it('happen wholly before or not at all [3, 4.6, contract 4]', async () => {
    const account = await open({ overwrite: false });
    const elsewhere = account.through(second);
    await Promise.all([account.routerId('R'), elsewhere.routerId('R')]);
    const ids = await account.contacts(40);
    const outcomes = await Promise.all(
      ids.map(async (id, index) => {
        const [one, other] = index % 2 === 0 ? [account, elsewhere] : [elsewhere, account];
        const archive = index % 4 < 2 ? one.api.delete(`/contacts/${id}`) : undefined;
        const dispatch = other.dispatch('R', id);
        const archived = await (archive ?? one.api.delete(`/contacts/${id}`));
        return { id, archived, dispatched: await dispatch };
      }),
    );
    const log = await account.log();
    let assigned = 0;
    for (const { id, archived, dispatched } of outcomes) {
      expect(archived.status).toBe(200);
      const runs = log.filter((run) => run.object_id === id);
      const { body } = await account.api.get(`/contacts/${id}?properties=contact_owner_assigned_date`);
      expect(body.archived).not.toBe(false);
      if (dispatched.status === 200) {
        assigned += 1;
        expect(runs).toMatchObject([{ id: dispatched.body.assignment_id, user_email: dispatched.body.user }]);
        expect(body).toMatchObject({
          contact_owner: dispatched.body.user,
          contact_owner_assigned_date: runs[0]!.created_at.toISOString(),
        });
        continue;
      }
      expect({ status: dispatched.status, message: dispatched.body.message }).toEqual({
        status: 409,
        message: 'The object is archived and cannot be assigned',
      });
      expect(runs).toEqual([]);
      expect(body).toMatchObject({ contact_owner: null, contact_owner_assigned_date: null });
    }
    expect((await account.rotation('R')).seq).toBe(assigned);
    expect(log).toHaveLength(assigned);
  });
});

describe('Good and bad dispatches at the same time', () => {
  it('do not spoil each other [4.6, contract 1, contract 4]', async () => {
    const account = await open({});
    const routerId = await account.routerId('R');
    const [good, archived] = [await account.contacts(12), await account.contacts(4)];
    for (const id of archived) await account.api.delete(`/contacts/${id}`);
    const company = await account.create('companies', { company_name: 'Acme' });
    const bad = ['01890a5d-ac96-774b-bcce-b302099a8057', 'nonsense', company, ...archived];
    const all = good.flatMap((id, index) => [id, bad[index % bad.length]!]);
    const responses = await Promise.all(
      all.map((object_id) => account.api.post('/dispatch/router', { router_id: routerId, object_id })),
    );
    const expected: Record<string, number> = { 'Object not found': 404, nonsense: 404 };
    responses.forEach(({ status, body }, index) => {
      const id = all[index]!;
      if (good.includes(id)) expect([status, body.success]).toEqual([200, true]);
      else if (archived.includes(id)) expect(status).toBe(409);
      else if (id === company) expect([status, body.field]).toEqual([400, 'object_id']);
      else expect(status).toBe(expected[body.message]);
    });
    const log = await account.log();
    expect(new Set(log.map((run) => run.object_id))).toEqual(new Set(good));
    expect(tally(log.map((run) => run.user_email!))).toEqual(
      Object.fromEntries(TEAM.map((name) => [mail(name), 3])),
    );
  });
});
