// Nodes of a Citus cluster are killed, and shards move between them, under load of accounts on each.
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../bench/support/load.mjs';
import { Citus, NODES } from '../database/citus.mjs';
import { expectServesAgain } from '../run/serves-again.mjs';
import { Site } from '../run/site.mjs';
import { prepareAccount } from '../service/account.mjs';
import { ENVIRONMENT } from '../service/environment.mjs';
import { command } from '../service/programs.mjs';

const NO_CLUSTER = 'CITUS_URLS names no cluster';

/** Accounts are made until each node has one, of those that have shards. */
const MOST_ACCOUNTS = 12;

/** Milliseconds for which a node is away. */
const AWAY = 2_000;

/** @returns the cluster with the accounts `{ slug, node, token, routers }`, one on each node that has shards */
async function openCluster({ leftovers }) {
  const citus = await Citus.open(leftovers);
  const env = { ...ENVIRONMENT, DATABASE_URL: citus.url([0]) };
  await command(leftovers, env, { args: ['migrate', '--distribute', '--shards', '8'] });
  const folder = leftovers.directory();
  const [{ nodes }] = await citus.ask(
    'SELECT count(DISTINCT groupid)::int AS nodes FROM pg_dist_placement WHERE groupid > 0',
  );
  const accounts = new Map();
  for (let n = 0; n < MOST_ACCOUNTS && accounts.size < nodes; n++) {
    const account = await prepareAccount(leftovers, env, { folder, slug: `chaos-${n}` });
    const [{ id }] = await citus.ask('SELECT id FROM accounts WHERE slug = $1', [account.slug]);
    const node = await citus.nodeOf(id);
    if (!accounts.has(node)) accounts.set(node, { ...account, id, node });
  }
  return { citus, accounts: [...accounts.values()] };
}

/** @returns a site for each account, on processes that they share */
async function openSites(context, { citus, accounts, url, processes = 2 }) {
  const { leftovers, options } = context;
  const parts = { leftovers, options, cluster: citus, database: '', env: { DATABASE_URL: url } };
  const sites = accounts.map((account) => new Site({ ...parts, account }));
  for (let target = 0; target < processes; target++) await sites[0].start(target);
  for (const site of sites) site.services = sites[0].services;
  for (const site of sites) site.drive({ clients: 6 });
  return sites;
}

const progress = (sites, count) => Promise.all(sites.map((site) => site.progress(count)));

async function checked(findings, sites) {
  for (const site of sites) {
    findings.failOnInternalErrors(site.recorder);
    await findings.checked(site);
  }
}

/** Runs a scenario where there is a cluster. */
const onCluster = (scenario) => ({
  trials: { quick: 0, long: 25 },
  ...scenario,
  async run(context) {
    if (NODES.length === 0) context.findings.notRun = NO_CLUSTER;
    else await scenario.run({ ...context, ...(await openCluster(context)) });
  },
});

/** A node is killed, in turn a worker, the coordinator and one process of the service; all nodes are in DATABASE_URL. */
export const nodeKills = onCluster({
  name: 'node-kills',
  promise: 'P1 P2 P3 P4 P8',
  async run(context) {
    const { citus, accounts, findings, trials } = context;
    const sites = await openSites(context, { citus, accounts, url: citus.url() });
    for (let trial = 1; trial <= trials && findings.failures.length === 0; trial++) {
      await progress(sites, 60);
      if (trial % 5 === 0) await killProcess(sites);
      else {
        const node = trial % 5 === 4 ? 0 : sites[trial % sites.length].account.node;
        await killNode(context, sites, node, { starts: trial % 5 === 3 });
      }
      findings.trials += 1;
    }
    await progress(sites, 60);
    await checked(findings, sites);
  },
});

/** The same, but that all goes through the coordinator, and only workers are killed. */
export const nodeKillsBehind = onCluster({
  name: 'node-kills-behind',
  promise: 'P1 P2 P3 P4 P8',
  async run(context) {
    const { citus, accounts, findings, trials } = context;
    const sites = await openSites(context, { citus, accounts, url: citus.url([0]) });
    for (let trial = 1; trial <= trials && findings.failures.length === 0; trial++) {
      await progress(sites, 60);
      await killNode(context, sites, sites[trial % sites.length].account.node, { isBehind: true });
      findings.trials += 1;
    }
    await progress(sites, 60);
    await checked(findings, sites);
  },
});

/**
 * Kills a node and starts it again. Accounts on other nodes must not notice, unless it is what all goes through.
 * @param how.starts whether a process is killed, too, and another one started before the node is
 */
async function killNode(
  { citus, findings, options },
  sites,
  node,
  { isBehind = false, starts = false } = {},
) {
  const what = `node ${node} is killed`;
  const before = performance.now();
  await progress(sites, 60);
  const since = performance.now();
  citus.kill(node);
  if (starts) await killProcess(sites);
  await sleep(AWAY);
  const until = performance.now();
  await citus.start(node);
  const accepted = performance.now();
  for (const site of sites) {
    if (site.account.node === node || isBehind || starts || node === 0) {
      await expectServesAgain({ site, findings }, { since, accepted, what });
      continue;
    }
    const during = site.recorder.requests.filter(({ start, end }) => start >= since && end < until);
    const failed = during.find(({ outcome }) => outcome !== 'acknowledged');
    if (failed)
      findings.fail(`${what}: a ${failed.kind} of an account elsewhere failed`, { request: failed });
    const usual = site.recorder.requests.filter(({ start, end }) => start >= before && end < since);
    options.progress(`  ${what}: p50 elsewhere ${p50(during)} ms, ${p50(usual)} ms before`);
  }
}

async function killProcess(sites) {
  const [target] = [sites[0].services.length - 1];
  await sites[0].services[target].kill();
  await sites[0].start(target);
}

const p50 = (requests) =>
  percentile(
    requests.map(({ start, end }) => end - start).sort((a, b) => a - b),
    0.5,
  )?.toFixed(1);

/** A node is added, an account gets a shard of its own, and shards move to each node in turn, while all are served. */
export const shardMoves = onCluster({
  name: 'shard-moves',
  promise: 'P1 P2 P3 P5',
  trials: { quick: 0, long: 12 },
  async run(context) {
    const { citus, accounts, findings, trials } = context;
    const sites = await openSites(context, { citus, accounts, url: citus.url() });
    // The coordinator has no shards until then.
    const { hostname, port } = citus.nodes[0];
    await citus.ask(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)`, [
      hostname,
      Number(port),
    ]);
    for (let trial = 1; trial <= trials && findings.failures.length === 0; trial++) {
      await progress(sites, 60);
      const { account } = sites[trial % sites.length];
      if (trial === 1) await isolate(citus, account);
      await move(citus, account);
      findings.trials += 1;
    }
    await progress(sites, 60);
    const refused = sites.reduce((sum, { recorder }) => sum + recorder.count('refused'), 0);
    context.options.progress(`  ${refused} requests were refused while shards moved`);
    await checked(findings, sites);
  },
});

const isolate = (citus, { id }) =>
  citus.ask(`SELECT isolate_tenant_to_new_shard('accounts', $1::uuid, 'CASCADE', 'block_writes')`, [id]);

async function move(citus, { id }) {
  const from = await citus.nodeOf(id);
  const to = (from + 1) % citus.nodes.length;
  const [source, target] = [from, to].map((n) => citus.nodes[n]);
  await citus.ask(
    `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('accounts', $1::uuid), $2, $3, $4, $5, 'auto')`,
    [id, source.hostname, Number(source.port), target.hostname, Number(target.port)],
  );
}
