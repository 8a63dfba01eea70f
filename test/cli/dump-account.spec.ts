// Services of their own: the rows of whole databases are compared.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { SCOPES } from '../../src/auth/index.js';
import type { ApiClient } from '../support/api-client.js';
import { sql } from '../support/database/stored-records.js';
import { tableRows } from '../support/database/table-rows.js';
import { Programs } from '../support/processes/program.js';
import { RECORD_TYPES } from '../support/record-types.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { is, where } from '../support/search-pages.js';
import { TEST_SECRET, TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';

const USERS = ['ada', 'bob', 'eve'];
const programs = new Programs();
let [source, target]: TestService[] = [];

beforeAll(async () => {
  [source, target] = [await TestService.start(), await TestService.start()];
});
afterEach(() => programs.end());
afterAll(async () => {
  await source?.stop();
  await target?.stop();
});

const open = (service: TestService): Promise<RoutingAccount> =>
  RoutingAccount.open(service, {
    users: [...people(['ada'], { limits: { day: 100 } }), ...people(['bob', 'eve'])],
    teams: [{ name: 'Sales', members: [mail('ada'), mail('bob')] }],
    fields: [{ object_type: 'contacts', internal_name: 'score', type: 'number', indexed: true }],
    capacities: [
      {
        name: 'Open',
        object_type: 'contacts',
        field: 'city',
        values: ['Oslo'],
        users: people(['eve'], { max: 50 }),
      },
    ],
    routers: [router('R', {}, { users: people(USERS) })],
  });

/** An account with every kind of thing. */
async function everyKind(): Promise<{ account: RoutingAccount; manager: ApiClient; repeated: string }> {
  const account = await open(source!);
  const manager = await source!.login(account.slug, SCOPES);
  const contacts: string[] = [];
  for (let n = 0; n < 8; n++) contacts.push(await account.contact({ score: `${n}`, city: 'Oslo' }));
  await account.assignEach('R', contacts.slice(0, 5));
  await account.create('companies', { company_name: 'Acme\tInc\\', website_url: 'acme.test' });
  for (const { type, minimal } of RECORD_TYPES.slice(2)) await account.create(type, minimal);
  await account.api.patch(`/contacts/${contacts[0]}`, { fields: { first_name: 'Ada', score: '70' } });
  await account.api.delete(`/contacts/${contacts[6]}`);
  await account.api.delete(`/contacts/${contacts[7]}`);
  await account.api.post(`/contacts/${contacts[7]}/restore`);
  await manager.patch(`/routers/${await account.routerId('R')}`, { settings: { default_user: mail('eve') } });
  const made = await manager.post('/members', { email: 'member@acme.test', role: 'admin' });
  expect(made.status).toBe(201);
  const { body } = await account.api.post('/contacts', { fields: { first_name: 'Once' } }, KEYED);
  return { account, manager, repeated: body.id };
}

const KEYED = { headers: { 'Idempotency-Key': 'once' } };

const LISTS = [
  ...['contacts', 'companies', 'deals', 'tickets'].flatMap((type) => [type, `${type}?archived=true`]),
  ...[
    'routers?expand=status',
    'assignments',
    'audit',
    'capacities',
    'clients',
    'fields',
    'members',
    'teams',
    'users',
  ],
];
/** A span that has all of this test. */
const [FROM, TO] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
/** What is asked of an item beside itself. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  contacts: ['/history'],
  routers: ['/versions', '/diff?from=1&to=draft', `/fairness?from=${FROM}&to=${TO}`, '?version=draft'],
};

/** The answers to GET for all that an account has, by path. */
async function answers(api: ApiClient): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const ask = async (path: string): Promise<any> => {
    const { status, body } = await api.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return (found[path] = body);
  };
  for (const by of ['day', 'user']) await ask(`/assignments/summary?by=${by}`);
  for (const list of LISTS) {
    const [name] = list.split('?');
    for (const { id } of (await ask(`/${list}`)).data) {
      if (name === 'audit' || list.includes('archived')) continue;
      for (const more of ['', ...(MORE[name!] ?? [])]) await ask(`/${name}/${id}${more}`);
    }
  }
  const search = { filter: where(is('score', 'gte', 3)), sort: ['score'] };
  return { ...found, search: (await api.post('/contacts/search', search)).body };
}

/** Waits until nothing in the background changes rows of a database any more. */
async function settled(service: TestService): Promise<void> {
  await waitFor('changes of counts to be folded, and counters and indexes to be ready', async () => {
    const open = await sql(
      service,
      `SELECT 1 FROM record_count_changes UNION ALL SELECT 1 FROM record_counters WHERE NOT is_ready
        UNION ALL SELECT 1 FROM record_indexes WHERE NOT is_ready`,
    );
    return open.length === 0;
  });
}

/** The rows of a database by table, but for those that say what runs and asks now. */
async function storedRows({ database }: TestService): Promise<Record<string, string[]>> {
  const { 'public.processes': _, 'public.request_counts': __, ...rows } = await tableRows(database.url);
  return rows;
}

const only = (all: Record<string, string[]>, isKept: (row: string) => boolean): Record<string, string[]> =>
  Object.fromEntries(Object.entries(all).map(([name, rows]) => [name, rows.filter(isKept)]));

/** Triggers note the version in which a row was changed: in a load, the latest. */
async function stampAll(service: TestService): Promise<void> {
  for (const table of ['users', 'teams', 'field_definitions', 'capacities', 'routers'])
    await sql(service, `UPDATE ${table} SET account_id = account_id`);
}

const env = (service: TestService): Record<string, string> => ({
  DATABASE_URL: service.database.url,
  JWT_SECRET: TEST_SECRET,
});

async function json(args: readonly string[], service: TestService): Promise<any> {
  const { code, stdout, stderr } = await programs.cli([...args, '--json'], env(service));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Runs a command that must fail. @returns what it says */
async function refusal(args: readonly string[], service: TestService): Promise<string> {
  const { code, stdout, stderr } = await programs.cli(args, env(service));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr;
}

describe('dump --account and load --account', () => {
  it('move an account with all that it has beside the accounts of a running service [contract 13]', async () => {
    const { account, manager, repeated } = await everyKind();
    const [other, third] = [await open(source!), await open(target!)];
    for (const each of [other, third]) await each.turns('R', 2);
    const credentials = await source!.createClient(account.slug);
    await settled(source!);
    await settled(target!);
    await stampAll(source!);
    const { accountId } = await source!.account(account.slug);
    const dump = join(programs.folder(), 'dump');
    const dumped = await json(['dump', '--account', account.slug, dump], source!);
    expect(dumped.tables[0]).toEqual({ table: 'accounts', rows: 1 });
    expect(dumped.tables).toContainEqual({ table: 'records', rows: 12 });
    const [before, there] = [await answers(manager), await storedRows(target!)];
    const rows = only(await storedRows(source!), (row) => row.includes(accountId));

    expect(await json(['load', '--account', dump], target!)).toMatchObject({
      account: account.slug,
      tables: dumped.tables,
    });
    const after = await storedRows(target!);
    expect(only(after, (row) => !row.includes(accountId))).toEqual(there);
    expect(only(after, (row) => row.includes(accountId))).toEqual(rows);
    expect(await answers(target!.client(manager.token))).toEqual(before);

    const { status } = await target!.anonymous.post('/oauth2/token', {
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });
    expect(status).toBe(200);
    const [here, moved] = [account.through(source!), account.through(target!)];
    const again = await moved.api.post('/contacts', { fields: { first_name: 'Once' } }, KEYED);
    expect(again).toMatchObject({ status: 201, body: { id: repeated } });
    expect(await moved.turns('R', 4)).toBe(await here.turns('R', 4));
    expect((await json(['check', '--account', account.slug], target!)).checks).toEqual(
      (await json(['check', '--account', account.slug], source!)).checks,
    );
    await moved.apply({
      fields: [{ object_type: 'contacts', internal_name: 'rank', type: 'number', indexed: true }],
    });
    await settled(target!);
    const indexes = `SELECT field FROM record_indexes WHERE account_id = $1 ORDER BY field`;
    expect(await sql(target!, indexes, [accountId])).toEqual([{ field: 'rank' }, { field: 'score' }]);
  });

  it('are all or nothing when they are killed, and keep nobody from writing meanwhile [contract 13]', async () => {
    const [account, third] = [await open(source!), await open(target!)];
    await account.turns('R', 3);
    const { accountId } = await source!.account(account.slug);
    const dump = join(programs.folder(), 'dump');
    const { tables } = await json(['dump', '--account', account.slug, dump], source!);
    const holder = new Client({ connectionString: target!.database.url });
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE router_versions IN EXCLUSIVE MODE');
      const killed = programs.start(['load', '--account', dump], env(target!));
      const waits = `SELECT FROM pg_locks WHERE relation = 'router_versions'::regclass AND NOT granted`;
      const isWaiting = async (): Promise<boolean> => (await sql(target!, waits)).length > 0;
      await waitFor('the load to come to the locked table', isWaiting);
      // Its records are there by now.
      expect(await third.turns('R', 3)).toBe('ada bob eve');
      killed.signal('SIGKILL');
      await killed.exit();
      await holder.query('ROLLBACK');
      await waitFor('its connection to end', async () => !(await isWaiting()));
    } finally {
      await holder.end();
    }
    const ofAccount = async (): Promise<string[]> =>
      Object.values(only(await storedRows(target!), (row) => row.includes(accountId))).flat();
    expect(await ofAccount()).toEqual([]);
    expect(await json(['load', '--account', dump], target!)).toMatchObject({ tables });
    expect(await account.through(target!).turns('R', 1)).toBe('ada');
  });

  it('say what is wrong with the account, the file or the database, and change nothing then [contract 13]', async () => {
    const [account, third] = [await open(source!), await open(target!)];
    const [whole, dump] = [join(programs.folder(), 'whole'), join(programs.folder(), 'dump')];
    expect(await refusal(['dump', '--account', 'nobody', dump], source!)).toBe(
      'There is no account nobody\n',
    );
    expect(existsSync(dump)).toBe(false);
    await json(['dump', whole], source!);
    await json(['dump', '--account', account.slug, dump], source!);
    await settled(target!);
    const before = await storedRows(target!);
    expect(await refusal(['load', '--account', whole], target!)).toBe(
      `${whole} is a dump of a whole installation: load it without --account, into an empty database\n`,
    );
    expect(await refusal(['load', dump], target!)).toContain(
      `${dump} is a dump of the account ${account.slug} alone: load it with --account`,
    );
    expect(await refusal(['load', '--account', '--slug', third.slug, dump], target!)).toContain(
      `There is another account ${third.slug}: give this one another --slug`,
    );
    expect(await refusal(['load', '--slug', 'other', dump], target!)).toContain(
      '--slug is for load --account',
    );
    expect(await refusal(['load', '--account', '--slug', 'A b', dump], target!)).toContain(
      'It must be 1 to 63 lower-case letters, digits and inner hyphens',
    );
    const nowhere = { DATA_DIR: join(programs.folder(), 'nowhere') };
    const { code, stderr } = await programs.cli(['load', '--account', dump], nowhere);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/no database in the data directory/),
    });
    expect(existsSync(nowhere.DATA_DIR)).toBe(false);
    expect(await storedRows(target!)).toEqual(before);

    const renamed = ['load', '--account', '--slug', 'renamed', dump];
    expect(await json(renamed, target!)).toMatchObject({ account: 'renamed' });
    const { accountId } = await source!.account(account.slug);
    expect(await target!.account('renamed')).toEqual({ accountId });
    expect(await refusal(renamed, target!)).toContain(
      `The account with the id ${accountId} is there already, as renamed`,
    );
  });
});
