import type { ApiClient } from '../../support/api-client.js';
import { sql } from '../../support/database/stored-records.js';
import { TestService } from '../../support/test-service.js';
import { condition } from '../../support/database/trigger-table.js';

const PEOPLE = ['a@x.test', 'b@x.test', 'c@x.test'];

let service: TestService;
let api: ApiClient;
let contacts = 0;

beforeAll(async () => {
  service = await TestService.shared();
  api = await service.login('acme');
});
afterAll(() => service.stop());

/** A new router over the three people; returns its id. */
async function newRouter(name: string, settings: string): Promise<string> {
  const users = PEOPLE.map((email) => `{ email: ${email} }`).join(', ');
  await service.apply(`accounts: [{ slug: acme, users: [${users}], routers: [
    { name: ${name}, object_type: contacts, published: true, settings: ${settings}, users: [${users}] }] }]`);
  const { body } = await api.get('/routers?limit=100');
  return body.data.find((router: { name: string }) => router.name === name).id;
}

async function assignNew(router: string, city?: string): Promise<{ id: string; user: string }> {
  const email = `lead-${++contacts}@example.test`;
  const { body: contact } = await api.post('/contacts', { fields: { email, city } });
  const { body } = await api.post('/dispatch/router', { router_id: router, object_id: contact.id });
  return { id: contact.id, user: body.user };
}

async function nextTurns(router: string, count: number): Promise<string[]> {
  const users: string[] = [];
  for (let n = 0; n < count; n++) users.push((await assignNew(router)).user);
  return users;
}

const creditsOf = async (router: string): Promise<bigint[]> => {
  const rows = await sql(service, 'SELECT state FROM rotations WHERE router_id = $1', [router]);
  const members = rows.flatMap(({ state }: any) => Object.values<[string, number]>(state.rotations.users));
  return members.map(([credit]) =>
    credit.startsWith('-') ? -BigInt(`0x${credit.slice(1)}`) : BigInt(`0x${credit}`),
  );
};

describe('reimburse_within_minutes', () => {
  it('owes the old owner a turn again and charges the new one [contract 4]', async () => {
    const router = await newRouter('On', '{ reimburse_within_minutes: 10 }');
    const { id, user } = await assignNew(router);
    expect(user).toBe('a@x.test');
    const moved = await api.patch(`/contacts/${id}`, { fields: { contact_owner: 'b@x.test' } });
    expect(moved.body.contact_owner).toBe('b@x.test');
    expect(await nextTurns(router, 2)).toEqual(['a@x.test', 'c@x.test']);
    expect((await creditsOf(router)).reduce((sum, credit) => sum + credit, 0n)).toBe(0n);
  });

  it('owes it in the rotation of its rule, also where the next turn is of another rule [contract 4]', async () => {
    const rule = (name: string, emails: readonly string[]): object => ({
      name,
      trigger: condition('city', 'eq', name),
      users: emails.map((email) => ({ email })),
    });
    const rules = [rule('Oslo', ['a@x.test', 'b@x.test']), rule('Rome', ['c@x.test'])];
    const router = await newRouter('Rules', JSON.stringify({ reimburse_within_minutes: 10, rules }));
    const lost = await assignNew(router, 'Oslo');
    expect(lost.user).toBe('a@x.test');
    await api.patch(`/contacts/${lost.id}`, { fields: { contact_owner: 'b@x.test' } });
    expect((await assignNew(router, 'Rome')).user).toBe('c@x.test');
    expect((await assignNew(router, 'Oslo')).user).toBe('a@x.test');
  });

  it('makes up for a turn once, whatever happens to the record later [contract 4]', async () => {
    const router = await newRouter('Once', '{ reimburse_within_minutes: 10 }');
    const { id } = await assignNew(router);
    for (const owner of ['b@x.test', 'a@x.test', 'b@x.test', 'a@x.test']) {
      expect((await api.patch(`/contacts/${id}`, { fields: { contact_owner: owner } })).status).toBe(200);
    }
    expect(await nextTurns(router, 3)).toEqual(['a@x.test', 'c@x.test', 'b@x.test']);
  });

  it('returns the turn of this record, whatever records were assigned since [contract 4]', async () => {
    const router = await newRouter('Many', '{ reimburse_within_minutes: 10 }');
    const { id, user } = await assignNew(router);
    expect([user, ...(await nextTurns(router, 1))]).toEqual(['a@x.test', 'b@x.test']);
    await api.patch(`/contacts/${id}`, { fields: { contact_owner: 'c@x.test' } });
    expect(await nextTurns(router, 1)).toEqual(['a@x.test']);
  });

  it('returns the turn of its own router, whatever another router has done since [contract 4]', async () => {
    const router = await newRouter('Own', '{ reimburse_within_minutes: 10 }');
    const other = await newRouter('Other', '{ overwrite: true }');
    const { id, user } = await assignNew(router);
    const again = await api.post('/dispatch/router', { router_id: other, object_id: id });
    expect([user, again.body.user]).toEqual(['a@x.test', 'a@x.test']);
    await api.patch(`/contacts/${id}`, { fields: { contact_owner: 'b@x.test' } });
    expect(await nextTurns(router, 2)).toEqual(['a@x.test', 'c@x.test']);
  });

  it('does nothing unless it is set, and nothing after its time [contract 4]', async () => {
    const off = await newRouter('Off', '{}');
    const late = await newRouter('Late', '{ reimburse_within_minutes: 10 }');
    for (const router of [off, late]) {
      const { id } = await assignNew(router);
      await sql(
        service,
        `UPDATE assignments SET created_at = now() - interval '11 minutes' WHERE object_id = $1`,
        [id],
      );
      await api.patch(`/contacts/${id}`, { fields: { contact_owner: 'b@x.test' } });
      expect(await nextTurns(router, 2)).toEqual(['b@x.test', 'c@x.test']);
    }
  });

  it('does nothing when the update is refused, which names every colliding key [2.8, contract 4]', async () => {
    const router = await newRouter('Refused', '{ reimburse_within_minutes: 10 }');
    await api.post('/contacts', { fields: { email: 'taken@example.test' } });
    await api.post('/contacts', { fields: { first_name: 'Taken', external_id: 'taken' } });
    const { id, user } = await assignNew(router);
    const fields = { contact_owner: 'b@x.test', email: 'taken@example.test', external_id: 'taken' };
    const refused = await api.patch(`/contacts/${id}`, { fields });
    expect(refused.status).toBe(409);
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'email',
      'external_id',
    ]);
    expect((await api.get(`/contacts/${id}`)).body.contact_owner).toBe(user);
    expect(await nextTurns(router, 2)).toEqual(['b@x.test', 'c@x.test']);
  });

  it('does nothing when the record stays with its owner [contract 4]', async () => {
    const router = await newRouter('Stays', '{ reimburse_within_minutes: 10 }');
    const { id } = await assignNew(router);
    await api.patch(`/contacts/${id}`, { fields: { contact_owner: 'a@x.test', city: 'Paris' } });
    expect(await nextTurns(router, 2)).toEqual(['b@x.test', 'c@x.test']);
  });

  it('goes on while dispatches of the router run, and credits sum to 0 [contract 4]', async () => {
    const router = await newRouter('Busy', '{ reimburse_within_minutes: 10 }');
    const assigned = await Promise.all(Array.from({ length: 20 }, () => assignNew(router)));
    const answers = await Promise.all([
      ...assigned.map(({ id }) => api.patch(`/contacts/${id}`, { fields: { contact_owner: 'c@x.test' } })),
      ...Array.from({ length: 20 }, async () => ({
        status: PEOPLE.includes((await assignNew(router)).user) ? 200 : 0,
      })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(40).fill(200));
    expect((await creditsOf(router)).reduce((sum, credit) => sum + credit, 0n)).toBe(0n);
  });

  it('returns the turn when another dispatch takes the record, of this router or another [contract 4]', async () => {
    const router = await newRouter('Again', '{ reimburse_within_minutes: 10, overwrite: true }');
    const other = await newRouter('Taking', '{ overwrite: true }');
    const { id, user } = await assignNew(router);
    const again = await api.post('/dispatch/router', { router_id: router, object_id: id });
    expect([user, again.body.user]).toEqual(['a@x.test', 'b@x.test']);
    // Only bob has had a turn.
    expect(await nextTurns(router, 2)).toEqual(['a@x.test', 'c@x.test']);
    expect(await nextTurns(other, 2)).toEqual(['a@x.test', 'b@x.test']);
    const { id: taken, user: owner } = await assignNew(router);
    const byOther = await api.post('/dispatch/router', { router_id: other, object_id: taken });
    expect([owner, byOther.body.user]).toEqual(['b@x.test', 'c@x.test']);
    const simulated = await api.post('/dispatch/simulate', { router_id: router, fields: {} });
    expect(simulated.body.user).toBe('b@x.test');
    expect(await nextTurns(router, 3)).toEqual(['b@x.test', 'a@x.test', 'c@x.test']);
    expect((await creditsOf(router)).reduce((sum, credit) => sum + credit, 0n)).toBe(0n);
  });

  it('returns the turn when the record is archived in time [contract 4]', async () => {
    const router = await newRouter('Archived', '{ reimburse_within_minutes: 10 }');
    const [duplicate, late] = [await assignNew(router), await assignNew(router)];
    expect([duplicate.user, late.user]).toEqual(['a@x.test', 'b@x.test']);
    await sql(
      service,
      `UPDATE assignments SET created_at = now() - interval '11 minutes' WHERE object_id = $1`,
      [late.id],
    );
    for (const { id } of [duplicate, late]) expect((await api.delete(`/contacts/${id}`)).status).toBe(200);
    expect(await nextTurns(router, 3)).toEqual(['a@x.test', 'c@x.test', 'b@x.test']);
  });

  it.each(['PATCH', 'DELETE', 'dispatch'])(
    'returns the use of the limits by %s [contract 4]',
    async (how) => {
      const people = PEOPLE.map((email) => `{ email: ${email}, limits: { day: 1, month: 9 } }`).join(', ');
      const slug = `limits-${how.toLowerCase()}`;
      const routers = ['R', 'Other'].map(
        (name) => `{ name: ${name}, object_type: contacts, published: true,
        settings: { reimburse_within_minutes: 10, overwrite: ${name === 'Other'} }, users: [{ email: ${name === 'R' ? 'a' : 'b'}@x.test }] }`,
      );
      await service.apply(
        `accounts: [{ slug: ${slug}, users: [${people}], routers: [${routers.join(', ')}] }]`,
      );
      const client = await service.login(slug);
      const ids = new Map<string, string>(
        (await client.get('/routers')).body.data.map((each: { name: string; id: string }) => [
          each.name,
          each.id,
        ]),
      );
      const contact = async (): Promise<string> =>
        (await client.post('/contacts', { fields: { first_name: 'L' } })).body.id;
      const run = async (name: string, id: string): Promise<string> => {
        const { body } = await client.post('/dispatch/router', { router_id: ids.get(name), object_id: id });
        return body.user ?? body.reason;
      };
      const id = await contact();
      expect([await run('R', id), await run('R', await contact())]).toEqual([
        'a@x.test',
        'assignment_limit_reached',
      ]);
      if (how === 'PATCH') await client.patch(`/contacts/${id}`, { fields: { contact_owner: 'c@x.test' } });
      if (how === 'DELETE') await client.delete(`/contacts/${id}`);
      if (how === 'dispatch') expect(await run('Other', id)).toBe('b@x.test');
      expect([await run('R', await contact()), await run('R', await contact())]).toEqual([
        'a@x.test',
        'assignment_limit_reached',
      ]);
    },
  );

  it('is no less exact for the largest number of minutes [contract 4]', async () => {
    const router = await newRouter('Ever', `{ reimburse_within_minutes: ${Number.MAX_SAFE_INTEGER} }`);
    const { id } = await assignNew(router);
    const { status } = await api.patch(`/contacts/${id}`, { fields: { contact_owner: 'b@x.test' } });
    expect([status, ...(await nextTurns(router, 2))]).toEqual([200, 'a@x.test', 'c@x.test']);
  });

  it.each(['-1', '1.5', '"ten"', 'true'])('refuses %s [contract 5]', async (minutes) => {
    const refused = newRouter('Bad', `{ reimburse_within_minutes: ${minutes} }`);
    await expect(refused).rejects.toThrow('reimburse_within_minutes must be a whole number of minutes');
  });
});
