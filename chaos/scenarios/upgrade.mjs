// The previous release and this one on one database, with a migration between them, under load: what this release adds
// to the schema, and behind it what a later one may do to the largest table.
import { join } from 'node:path';
import { BULK } from '../checker/read-state.mjs';
import { Site } from '../run/site.mjs';
import { observe } from '../run/stalls.mjs';
import { watchMigration, watchSessions } from '../run/watches.mjs';
import { prepareAccount } from '../service/account.mjs';
import { ROOT } from '../service/environment.mjs';
import { previousRelease } from '../service/previous-release.mjs';

/** With the migration of a later release. */
const LATER = { EXTENSIONS: join(ROOT, 'chaos', 'service', 'later-migration.cjs') };

/** Records beside those of the clients: a migration must not stop the service while it changes them. */
const RECORDS = { quick: 150_000, long: 500_000 };

/** Milliseconds for which a migration may keep a statement waiting for a table (promise P7). */
const BOUND = 1_000;

/**
 * Milliseconds that a request may take beyond the slowest before the migration, which takes a processor from
 * the service. The slowest before says how fast the machine is: where it took longer than this, a request may
 * take twice as long.
 */
const SLOWER = 2_000;

const REQUESTS = 200;

const INSERT_BULK = `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
  SELECT accounts.id, 'contacts', uuid_v7(now()), jsonb_build_object('first_name', '${BULK}-' || n,
    'last_name', '${BULK}-' || n, 'contact_owner', 'ada@chaos.test'), now(), now()
  FROM accounts, generate_series(1, $1::int) n`;

const WRONG_OWNERS = `SELECT id, owner, fields ->> 'contact_owner' AS field FROM records
  WHERE object_type = 'contacts' AND owner IS DISTINCT FROM fields ->> 'contact_owner'`;

export const upgrade = {
  name: 'upgrade',
  promise: 'P1 P7',
  trials: { quick: 1, long: 2 },
  async run(context) {
    const { findings, options, trials } = context;
    const root = await previousRelease(options.previous, options.progress);
    if (root === undefined) {
      findings.notRun = `the clone lacks the commit ${options.previous}`;
      return;
    }
    for (let trial = 0; trial < trials; trial++) {
      const site = await siteOf(context, root);
      await migrateUnderLoad({ ...context, site }, root);
      findings.trials += 1;
      const { rows } = await site.sql((client) => client.query(WRONG_OWNERS));
      if (rows.length > 0)
        findings.fail(`${rows.length} records have a wrong column owner, such as ${JSON.stringify(rows[0])}`);
      await Promise.all(site.services.map((each) => each.kill()));
    }
  },
};

/** A site on a new database that the previous release has made. */
async function siteOf({ lab, leftovers, options }, root) {
  const { data: cluster } = await lab.external();
  const database = await cluster.newDatabase();
  const env = { DATABASE_URL: cluster.url(database) };
  const account = await prepareAccount(leftovers, env, { folder: cluster.directory, root });
  const site = new Site({ leftovers, options, account, env, cluster, database });
  const records = options.long ? RECORDS.long : RECORDS.quick;
  await site.sql((client) => client.query(INSERT_BULK, [records]));
  return site;
}

async function migrateUnderLoad(context, root) {
  const { site, findings } = context;
  const { requests } = site.recorder;
  /** What the answers depend on, and what a statement that waits for a table depends on. */
  const [serving, migrating] = [new Set(), new Set()];
  serving.add((await site.start(0, { root })).pid);
  const stopWatch = watchSessions(context, serving);
  site.drive();
  await site.progress(REQUESTS);
  const before = requests.filter(({ end }) => end).map((request) => site.timeOf(request, serving));
  const usual = Math.max(...before);
  const longestWait = watchMigration(context, migrating);
  const since = performance.now();
  const started = (pid) => {
    observe(pid);
    for (const each of [serving, migrating]) each.add(pid);
  };
  const applied = await site.command(['migrate'], { env: LATER, started });
  if (!applied.includes('GradeRecords')) throw new Error(`migrate applied no later migration: ${applied}`);
  const migrated = performance.now();
  const longest = await longestWait();
  await site.progress(REQUESTS);
  await site.start(1, { env: LATER });
  site.drive({ targets: 2 });
  await site.progress(REQUESTS);
  await findings.checked(site);
  for (const request of requests) {
    if (request.end < since || request.start > migrated) continue;
    const took = site.timeOf(request, serving);
    if (took <= usual + Math.max(SLOWER, usual)) continue;
    const [seconds, most] = [took, usual].map((time) => (time / 1_000).toFixed(1));
    findings.fail(`${seconds} s during the migration, and ${most} s at most before it`, { request });
  }
  findings.time(longest, { bound: BOUND, what: 'a statement that waited for a table of the migration' });
  await stopWatch();
}
