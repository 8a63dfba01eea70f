// A service of its own: its sessions report their plans, and nothing refreshes the statistics of its tables.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { SCOPES } from '../../src/auth/index.js';
import { addNeighbours, grow } from '../support/database/grown-account.js';
import { PlanLog, type StatementReads } from '../support/database/plan-log.js';
import { sql } from '../support/database/stored-records.js';
import type { MeasuredPlace, MeasuredRequest } from '../support/requests/measured-request.js';
import { batchRequests, listRequests, recordRequests } from '../support/requests/record-requests.js';
import { dispatchRequests, logRequests, managementRequests } from '../support/requests/routing-requests.js';
import { mail, people, router, RoutingAccount } from '../support/routing-account.js';
import { storm } from '../support/storm.js';
import { TestService } from '../support/test-service.js';

/** Records of the account, and entries of its log. */
const SIZE = storm(300_000);
/** Those of which the plans are made, at first. */
const YOUNG = SIZE / 150;
const BATCH = storm(500, 30);
const USERS = Array.from({ length: 100 }, (_, n) => `u${n}`);
/** For each router and user, and for each day of them, there is a count of entries. */
const COUNTS = 100 + SIZE / 100;

/**
 * Statements that no request waits for: of sweeps, checks, commands, and of what is not counted yet. At
 * the end those of which requests use another form, for one record or for several. Those of the console have
 * console-plans.spec.ts.
 */
const NOT_OF_REQUESTS =
  /^(ping|account_(keep_on_node|lock|require_configuration)|api_client_find_several_active|assignment_(days_|find_run_on|lock_import)|audit_(begin_sweep|delete_oldest)|console_|dispatch_(read_(clock|rotations)|write_(counted|logged|owned|returned|rotated|traced))|idempotency_(drop|find)_old|log_sweep_|node_|old_rows_|process_(beat|leave)|record_count(_changes_read|_owned_|ers_|s_)|record_history_(drop|find_old)|record_indexes_|request_counts_|records_(archive|find|insert_past)|record_lock_named|sizes_|users_renamed|SELECT c\.counter)/;

let service: TestService;
let account: RoutingAccount;
let admin: ApiClient;
let log: PlanLog;
let contacts: string[];
let round = 0;

beforeAll(async () => {
  service = await TestService.start({ poolSize: 3 });
  const tables = await sql<{ name: string }>(
    service,
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  for (const { name } of tables) await sql(service, `ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
  account = await RoutingAccount.open(service, {
    users: people(USERS, { limits: { hour: 5 } }),
    teams: [{ name: 'Team', members: USERS.map(mail) }],
    fields: [
      { object_type: 'contacts', internal_name: 'tier', type: 'string', indexed: true },
      { object_type: 'contacts', internal_name: 'plain', type: 'string' },
      { object_type: 'contacts', internal_name: 'partner', type: 'user' },
    ],
    capacities: [
      { name: 'Open', object_type: 'contacts', field: 'city', values: ['City 1'], users: people(USERS, { max: 1_000 }) },
    ],
    routers: [
      router('R', { overwrite: true, reimburse_within_minutes: 60 }, { users: people(USERS) }),
      router('rare', { overwrite: true }, { users: people(USERS) }),
      router('load', { overwrite: true, distribution_model: 'load balanced' }, { users: people(USERS) }),
      router('ruled', { overwrite: true, rules: [{ name: 'All', trigger: { groups: [] } }] }, { users: people(USERS) }),
      router('matching', { overwrite: true, account_matching: true }, { users: people(USERS) }),
    ],
  }); // prettier-ignore
  admin = await service.login(account.slug, SCOPES);
  contacts = await grow(account, [1, YOUNG]);
  log = await PlanLog.of(service);
});
afterAll(() => service.stop());

/** Every kind of request that reads or writes what there may be many of. */
async function* requests(): AsyncGenerator<MeasuredRequest> {
  const own = contacts.filter((_, n) => n % 4 === round % 4);
  const place: MeasuredPlace = { account, admin, key: `r${++round}`, batch: BATCH, contacts: own };
  yield* recordRequests(place);
  yield* listRequests(place);
  yield* batchRequests(place);
  yield* dispatchRequests(place, USERS.length);
  yield* logRequests(place, COUNTS);
  yield* managementRequests(place);
}

/** What statements may read for a request that names or asks for so many rows. */
const mostRows = (rows: number): number => 20 * rows + 500;

/** Sends every request. @returns the statements that have read more than they may */
async function readTooMuch(): Promise<string[]> {
  const found: { request: MeasuredRequest; reads: StatementReads }[] = [];
  log.take();
  for await (const request of requests()) {
    const { status, body } = await request.send();
    const isExpected = status < 400 || /duplicate|archived|of nothing/.test(request.name);
    if (!isExpected) throw new Error(`${request.name}: ${status} ${JSON.stringify(body)}`);
    for (const reads of log.take()) if (reads.rows > mostRows(request.rows)) found.push({ request, reads });
  }
  const names = await log.names();
  return found
    .map(({ request: { name, rows }, reads }) => ({
      name,
      rows,
      reads,
      statement: names.get(reads.text) ?? reads.text,
    }))
    .filter(({ statement }) => !NOT_OF_REQUESTS.test(statement))
    .map(({ name, rows, reads, statement }) => `${statement} reads ${reads.rows} for ${rows} of ${name}`);
}

/** Makes the statistics those of tables that were analysed while they were empty: of no column. */
const FORGET = `SELECT pg_clear_attribute_stats('public', c.relname, a.attname, false)
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`;

it('Statements that were planned for a young account read no more of a large one [contract 3]', async () => {
  await log.everywhere('SET plan_cache_mode = force_generic_plan');
  await sql(service, 'ANALYZE');
  expect(await readTooMuch()).toEqual([]);
  await addNeighbours(account, 3_000);
  contacts = await grow(account, [YOUNG + 1, SIZE]);
  expect(await readTooMuch()).toEqual([]);
});

it.each([
  { of: 'a young account', refresh: 'SELECT 1' },
  { of: 'empty tables', refresh: FORGET },
])('Statements that are planned by statistics of $of read no more [contract 3]', async ({ refresh }) => {
  await sql(service, refresh);
  await log.everywhere('SET plan_cache_mode = force_custom_plan');
  expect(await readTooMuch()).toEqual([]);
});

/** The names of the statements in a value: an exported one, or several in objects. */
const namesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { name, text } = value as Record<string, unknown>;
  return typeof name === 'string' && typeof text === 'string'
    ? [name]
    : Object.values(value).flatMap(namesIn);
};

it('All statements of requests are among them', async () => {
  const folder = join(__dirname, '..', '..', 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const load = createRequire(__filename);
  const named: string[] = [];
  for (const file of files.filter((each) => /(?<!spec)\.ts$/.test(each))) {
    const path = join(folder, file);
    const texts = readFileSync(path, 'utf8').matchAll(/name: '(\w+)',\s+text: /g);
    for (const [, name = ''] of texts) named.push(name);
    if (/statements\.ts$/.test(file)) named.push(...namesIn(load(path)));
  }
  const used = new Set((await log.names()).values());
  const missing = new Set(named.filter((name) => !NOT_OF_REQUESTS.test(name) && !used.has(name)));
  expect([...missing]).toEqual([]);
});
