// A service of its own: its sessions report their plans, and nothing refreshes the statistics of its tables.
import { SCOPES } from '../../src/auth/index.js';
import { ConsoleSweep } from '../../src/console/console-sweep.js';
import { cookieOf, OF_PAGE, Person } from '../support/person.js';
import { PlanLog } from '../support/database/plan-log.js';
import { sql } from '../support/database/stored-records.js';
import { TestProvider } from '../support/provider.js';
import { rawRequest } from '../support/raw-request.js';
import { TestService } from '../support/test-service.js';

/** Rows of each table of the console, half of them of one account. */
const ROWS = 40_000;

let provider: TestProvider;
let service: TestService;
let log: PlanLog;
let round = 0;

beforeAll(async () => {
  provider = await TestProvider.start();
  service = await TestService.start({ poolSize: 3, env: provider.settings });
  await service.apply(
    'accounts: [{ slug: acme, console_roles: [{ group: ops, role: admin }] }, { slug: other }]',
  );
  for (const table of ['members', 'groups', 'links', 'sessions'])
    await sql(service, `ALTER TABLE console_${table} SET (autovacuum_enabled = off)`);
  await sql(service, 'ANALYZE');
  log = await PlanLog.of(service);
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

/** Fills the tables with what goes on, and with what the sweep has left. */
async function fill(): Promise<void> {
  const { accountId } = await service.account('acme');
  const others = `CASE n % 2 WHEN 0 THEN '${accountId}'::uuid ELSE gen_random_uuid() END, `;
  const hash = `sha256(n::text::bytea)`;
  const rows = (table: string, columns: string, values: string): Promise<unknown> =>
    sql(
      service,
      `INSERT INTO console_${table} (account_id, ${columns})
        SELECT ${others}${values} FROM generate_series(1, ${ROWS}) n`,
    );
  await rows(
    'members',
    'id, email, email_key, role, issuer, subject',
    `uuid_v7(now()), n || '@m.test', n || '@m.test', 'viewer', '${provider.issuer}', 'm' || n`,
  );
  await rows('groups', 'name, role', `'group ' || n, 'viewer'`);
  await rows('links', 'token_hash, member_id, ends_at', `${hash}, uuid_v7(now()), now() + interval '1 day'`);
  await rows(
    'sessions',
    'id, token_hash, member_id, by_provider, seen_at, ends_at',
    `uuid_v7(now()), ${hash}, uuid_v7(now()), false, now(), now() + interval '1 day'`,
  );
}

/** Does everything that people do, by a link and by the provider. */
async function enterAndLeave(): Promise<void> {
  const admin = await service.login('acme', SCOPES);
  const person = await Person.enter(service, 'acme', { email: `p${++round}@acme.test`, role: 'viewer' });
  await sql(
    service,
    `UPDATE console_sessions SET seen_at = now() - interval '2 minutes' WHERE member_id IN (
      SELECT id FROM console_members WHERE email = 'p${round}@acme.test')`,
  );
  const { id } = (await person.get('/me')).body;
  await admin.post(`/members/${id}/link`);
  await admin.patch(`/members/${id}`, { role: 'manager' });
  await admin.get('/members?q=p1');
  provider.person = {
    sub: `s${++round}`,
    email: `p${round}@acme.test`,
    email_verified: true,
    groups: ['ops'],
  };
  const start = await rawRequest(service.anonymous, 'GET', '/console/oidc/start');
  const back = await provider.signIn(start.headers.get('location')!);
  const Cookie = cookieOf(start, 'fairlead-sign-in')!;
  const { headers } = await rawRequest(service.anonymous, 'GET', back.pathname + back.search, {
    headers: { Cookie },
  });
  const named = new Person(service.url, cookieOf({ headers })!);
  expect((await named.get('/console/session')).body.accounts).toHaveLength(1);
  await named.delete('/console/session');
  await service.anonymous.post('/console/session', { token: 'a'.repeat(64) }, { headers: OF_PAGE });
  await service.app.get(ConsoleSweep, { strict: false }).sweep();
}

it.each(['force_generic_plan', 'force_custom_plan'])(
  'statements of the console read a few rows of large tables, with statistics of empty ones and %s [contract 12]',
  async (mode) => {
    await log.everywhere(`SET plan_cache_mode = ${mode}`);
    if (round === 0) {
      await enterAndLeave();
      await fill();
    }
    log.take();
    await enterAndLeave();
    const reads = log.take();
    const names = await log.names();
    const of = reads.map(({ text, rows }) => [names.get(text) ?? text, rows] as const);
    // The others are of the test, and of lists by `q`, which compare all members of the account.
    const own = of.filter(([name]) => /^(console|account_find)_/.test(name));
    expect(own.filter(([, rows]) => rows > 100)).toEqual([]);
    expect(new Set(own.map(([name]) => name)).size).toBe(19);
  },
);
