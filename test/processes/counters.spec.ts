import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { mail, people, router, RoutingAccount, tally, type AccountFile } from '../support/routing-account.js';
import { ServerProcesses } from '../support/processes/server-processes.js';
import { sql } from '../support/database/stored-records.js';
import { storm } from '../support/storm.js';
import { createTestDatabase } from '../support/database/test-database.js';
import { waitFor } from '../support/wait-for.js';
import { wrongCounts } from '../support/database/wrong-counts.js';

const TEAM = ['ada', 'bob', 'eve'];
const CLIENTS = storm(64, 16);
/** The most that each may own, by the first definition and by the second. */
const [FEW, MANY] = [storm(12, 4), storm(30, 10)];
/** Contacts of a tier; those of two are more than everybody may own. */
const RECORDS = 2 * MANY;

let servers: ServerProcesses;

beforeAll(async () => {
  servers = await ServerProcesses.create();
});
afterEach(() => servers.end());
afterAll(() => servers.close());

/** A capacity of contacts whose tier is one of these, and two routers that own them by different fields. */
const file = (values: readonly string[], max: number): AccountFile => ({
  users: people(TEAM),
  fields: [
    { object_type: 'contacts', internal_name: 'partner', type: 'user' },
    {
      object_type: 'contacts',
      internal_name: 'tier',
      type: 'enumeration',
      options: ['open', 'trial', 'won'].map((internal_name) => ({ internal_name })),
    },
  ],
  capacities: [
    { name: 'Open', object_type: 'contacts', field: 'tier', values, users: people(TEAM, { max }) },
  ],
  routers: [
    router('R', {}, { users: people(TEAM) }),
    router('P', { owner_field: 'partner', distribution_model: 'load balanced' }, { users: people(TEAM) }),
  ],
});

const create = (account: RoutingAccount, count: number, tier: string): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => account.contact({ tier })));

/** Runs a router on contacts, many at a time, on the processes in turn. @returns how many got an owner */
async function dispatch(
  routerId: string,
  ids: readonly string[],
  { seats, onHalf }: { seats: readonly ApiClient[]; onHalf?: () => void },
): Promise<number> {
  const queue = ids.values();
  let [answered, assigned] = [0, 0];
  const client = async (_: unknown, index: number): Promise<void> => {
    for (const object_id of queue) {
      const body = { router_id: routerId, object_id };
      const sent = seats[index % seats.length]!.post('/dispatch/router', body);
      const response = await sent.catch(() => undefined);
      // A process that was killed may have assigned the contact before, which the second run then says.
      const { status, body: result } = response ?? (await seats.at(-1)!.post('/dispatch/router', body));
      expect(status).toBe(200);
      if (result.success === true || result.reason === 'owner_present') assigned += 1;
      answered += 1;
      if (answered === Math.floor(ids.length / 2)) onHalf?.();
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return assigned;
}

/** Returns how many contacts with these tiers each owns by a field. */
async function owned(account: RoutingAccount, field: string, tiers: readonly string[]): Promise<unknown> {
  const { accountId } = await servers.desk.account(account.slug);
  const rows = await sql<{ owner: string }>(
    servers.desk,
    `SELECT fields ->> $2 AS owner FROM records WHERE account_id = $1 AND archived_at IS NULL
      AND fields ->> $2 IS NOT NULL AND fields ->> 'tier' = ANY ($3::text[])`,
    [accountId, field, tiers],
  );
  return tally(rows.map(({ owner }) => owner));
}

/** Waits until the account has so many counters, all ready. */
async function ready(account: RoutingAccount, count: number): Promise<void> {
  const { accountId } = await servers.desk.account(account.slug);
  await waitFor('the counters to be ready', async () => {
    const rows = await sql<{ is_ready: boolean }>(
      servers.desk,
      'SELECT is_ready FROM record_counters WHERE account_id = $1',
      [accountId],
    );
    return rows.length === count && rows.every(({ is_ready }) => is_ready);
  });
}

const each = (count: number): object => Object.fromEntries(TEAM.map((name) => [mail(name), count]));

it('A capacity is never exceeded while its definition changes, many clients dispatch in two processes, and one is killed [contract 4]', async () => {
  const account = await RoutingAccount.open(servers.desk, file(['open'], FEW));
  const [r, p] = [await account.routerId('R'), await account.routerId('P')];
  const open = await create(account, RECORDS, 'open');
  const trial = await create(account, RECORDS, 'trial');
  const { env } = servers;
  const started = await Promise.all([servers.start(account), servers.start(account)]);
  const seats = started.map(({ api }) => api);
  const [{ process: victim }, { process: survivor }] = started;

  expect(await dispatch(r, open, { seats })).toBe(3 * FEW);
  expect(await owned(account, 'contact_owner', ['open'])).toEqual(each(FEW));
  await ready(account, 3);

  // The new definition is used at once, and counted by its own counters some time later.
  await account.apply(file(['open', 'trial'], MANY));
  const all = [...open, ...trial];
  const kill = (): void => victim.signal('SIGKILL');
  expect(await dispatch(r, all, { seats, onHalf: kill })).toBe(3 * MANY);
  expect(await victim.exit()).toBeNull();
  expect(await owned(account, 'contact_owner', ['open', 'trial'])).toEqual(each(MANY));
  await ready(account, 3);

  // By now the counters decide: what was won frees a place, and the load of partners stays level.
  const rest = [seats[1]!];
  for (const id of all.slice(0, 9)) await account.api.patch(`/contacts/${id}`, { fields: { tier: 'won' } });
  const left = 3 * MANY - Object.values((await owned(account, 'contact_owner', ['open', 'trial'])) as object).reduce((a: number, b: number) => a + b, 0); // prettier-ignore
  expect(await dispatch(r, await create(account, 20, 'open'), { seats: rest })).toBe(left);
  expect(await owned(account, 'contact_owner', ['open', 'trial'])).toEqual(each(MANY));
  const partners = storm(11, 4);
  const won = await create(account, 3 * partners, 'won');
  expect(await dispatch(p, won, { seats: rest })).toBe(3 * partners);
  expect(await owned(account, 'partner', ['won'])).toEqual(each(partners));

  expect(await wrongCounts(env.DATABASE_URL)).toEqual([]);
  expect((await servers.programs.cli(['check'], env)).code).toBe(0);
  const copy = await createTestDatabase({ empty: true });
  const dump = join(servers.programs.folder(), 'dump');
  expect((await servers.programs.cli(['dump', dump], env)).code).toBe(0);
  expect((await servers.programs.cli(['load', dump], { ...env, DATABASE_URL: copy.url })).code).toBe(0);
  expect(await wrongCounts(copy.url)).toEqual([]);
  await copy.drop();
  expect(survivor.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(await survivor.stop()).toBe(0);
});
