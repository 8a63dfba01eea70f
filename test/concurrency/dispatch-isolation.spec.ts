// A service of its own: its pool is small, and it has an extension.
import type { DecidedAssignment, EligibilityCheck, FairleadExtension } from '../../src/index.js';
import { conflict } from '../../src/index.js';
import { HeldLocks } from '../support/database/held-locks.js';
import { HeldRecords } from '../support/database/held-records.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { sql } from '../support/database/stored-records.js';
import { TestService } from '../support/test-service.js';

const TEAM = ['ada', 'bob', 'eve'];
const NAMES = Array.from({ length: 8 }, (_, n) => `R${n}`);

let service: TestService;
let account: RoutingAccount;
let accountId: string;
const locks = new HeldLocks(() => service);
const records = new HeldRecords(() => service);

/** A check that throws for a record of the city Nowhere. */
const FAULTY: EligibilityCheck = {
  id: 'faulty',
  group: 'workload',
  check: (_, { input }) => {
    if (input.record.get('city') === 'Nowhere') throw new TypeError('a mistake of an extension');
    return { pass: true };
  },
};

class Refusing {
  before(_: unknown, { record }: DecidedAssignment): Promise<void> {
    return record.fields['city'] === 'Refused' ? Promise.reject(conflict('Not today')) : Promise.resolve();
  }
}

const start = (extension?: FairleadExtension): Promise<TestService> =>
  TestService.start({ poolSize: 20, ...(extension === undefined ? {} : { extensions: [extension] }) });

const open = async (): Promise<void> => {
  account = await RoutingAccount.open(service, {
    users: people(TEAM),
    routers: NAMES.map((name) => router(name, {}, { users: people(TEAM) })),
  });
  ({ accountId } = await service.account(account.slug));
  await account.routerId('R0');
};

afterEach(async () => {
  await Promise.all([locks.release(), records.release()]);
  await service.stop();
});

/** The numbers of routers whose assignments have shared each transaction. */
async function shared(): Promise<number[]> {
  const rows = await sql<{ routers: number }>(
    service,
    'SELECT count(DISTINCT router_id)::int AS routers FROM assignments GROUP BY xmin::text',
  );
  return rows.map(({ routers }) => routers);
}

/** Dispatches a new contact by each of the routers. None can begin before all wait together. */
async function together(
  names: readonly string[],
  fields: (name: string) => object = () => ({}),
): Promise<any[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await account.contact(fields(name)));
  const release = await locks.configuration(accountId);
  const answers = names.map((name, n) => account.dispatch(name, ids[n]!));
  await locks.waiting(1);
  // Each request has asked for the transaction when those of its account that came later have.
  await service.anonymous.get('/health/live');
  await release();
  return Promise.all(answers);
}

describe('Routers that wait together', () => {
  beforeEach(async () => {
    service = await start();
    await open();
  });

  it('share a transaction [contract 4]', async () => {
    const answers = await together([...NAMES, ...NAMES]);
    expect(answers.map(({ body }) => body.success)).toEqual(answers.map(() => true));
    const counts = await shared();
    expect(counts.length).toBeLessThan(NAMES.length);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  it('do not wait for a record that somebody else has locked, whose router keeps its order [contract 4]', async () => {
    const [held = '', ...ids] = await account.contacts(NAMES.length + 1);
    const holder = await records.hold(held);
    const waiting = [account.dispatch('R0', held)];
    await records.waiting(1);
    waiting.push(account.dispatch('R0', ids.pop()!));
    const others = NAMES.slice(1).map((name, n) => account.dispatch(name, ids[n]!));
    for (const { body } of await Promise.all(others)) expect(body).toMatchObject({ success: true });
    await records.changeAndRelease(holder, held);
    const users = (await Promise.all(waiting)).map(({ body }) => body.user);
    expect(users).toEqual(['ada@acme.test', 'bob@acme.test']);
  });

  it('answer each for itself: what is unknown, archived or of another type refuses no other [4.6, contract 4]', async () => {
    const archived = await account.contact();
    await account.api.delete(`/contacts/${archived}`);
    const company = await account.create('companies', { company_name: 'Acme' });
    const good = await account.contacts(4);
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
    const release = await locks.configuration(accountId);
    const ids = [good[0]!, archived, company, unknown, good[1]!, good[2]!];
    const answers = ids.map((id, n) => account.dispatch(NAMES[n]!, id));
    answers.push(account.api.post('/dispatch/router', { router_id: unknown, object_id: good[3]! }));
    await locks.waiting(1);
    await release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual([200, 409, 400, 404, 200, 200, 404]);
  });

  it('give one record to one owner, and the next one sees it [contract 4]', async () => {
    const id = await account.contact();
    const release = await locks.configuration(accountId);
    const answers = NAMES.map((name) => account.dispatch(name, id));
    await locks.waiting(1);
    await release();
    const reasons = (await Promise.all(answers)).map(({ body }) => body.reason).sort();
    expect(reasons).toEqual([...Array(7).fill('owner_present'), 'round_robin']);
  });
});

describe('A router that makes a transaction fail', () => {
  it('by a fault of an extension does not fail the others [contract 4]', async () => {
    service = await start({ name: 'faulty', eligibilityChecks: [FAULTY] });
    await open();
    const answers = await together(NAMES, (name) => (name === 'R2' ? { city: 'Nowhere' } : {}));
    expect(answers.map(({ status }) => status)).toEqual(NAMES.map((name) => (name === 'R2' ? 500 : 200)));
    expect(await account.assign('R2')).toBe('ada');
  });

  it('by the refusal of a hook does not refuse the others, and moves no rotation [contract 4]', async () => {
    service = await start({ name: 'refusing', assignmentHooks: [Refusing] });
    await open();
    const answers = await together(NAMES, (name) => (name === 'R2' ? { city: 'Refused' } : {}));
    expect(answers.map(({ status }) => status)).toEqual(NAMES.map((name) => (name === 'R2' ? 409 : 200)));
    for (const name of NAMES) expect(await account.assign(name)).toBe(name === 'R2' ? 'ada' : 'bob');
  });
});
