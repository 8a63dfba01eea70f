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

/**
 * @param many how many accounts there are. Default: one on each node that has shards
 * @returns the cluster with the accounts `{ slug, node, token, routers }`
 */
async function openCluster({ leftovers }, many) {
  const citus = await Citus.open(leftovers);
  const env = { ...ENVIRONMENT, DATABASE_URL: citus.url([0]) };
  await command(leftovers, env, { args: ['migrate', '--distribute', '--shards', '8'] });
  const folder = leftovers.directory();
  const [{ nodes }] = await citus.ask(
    'SELECT count(DISTINCT groupid)::int AS nodes FROM pg_dist_placement WHERE groupid > 0',
  );
  const accounts = [];
  const isEnough = () => accounts.length >= (many ?? nodes);
  for (let n = 0; n < (many ?? MOST_ACCOUNTS) && !isEnough(); n++) {
    const account = await prepareAccount(leftovers, env, { folder, slug: `chaos-${n}` });
    const [{ id }] = await citus.ask('SELECT id FROM accounts WHERE slug = $1', [account.slug]);
    const node = await citus.nodeOf(account.slug);
    const isNew = accounts.every((other) => other.node !== node);
    if (many !== undefined || isNew) accounts.push({ ...account, id, node });
  }
  return { citus, accounts };
}

/**
 * @param clients of each account
 * @returns a site for each account, on two processes that they share
 */
async function openSites({ leftovers, options, citus, accounts }, { url, clients }) {
  const parts = { leftovers, options, cluster: citus, database: '', env: { DATABASE_URL: url } };
  const sites = accounts.map((account) => new Site({ ...parts, account }));
  for (let target = 0; target < 2; target++) await sites[0].start(target);
  for (const site of sites) site.services = sites[0].services;
  for (const site of sites) site.drive({ clients });
  return sites;
}

/** Waits until each account has had its part of some 120 answers. */
const progress = (sites) => Promise.all(sites.map((site) => site.progress(Math.ceil(120 / sites.length))));

/**
 * A scenario where there is a cluster.
 * @param scenario.places of the nodes that `DATABASE_URL` names; all unless given
 * @param scenario.many how many accounts there are, with a client each; one on each node unless given
 * @param scenario.trial(context, number) a fault; the context has the sites of the accounts, and the cluster
 */
const onCluster = ({ places, many, trial, ...scenario }) => ({
  trials: { quick: 0, long: 25 },
  ...scenario,
  async run(given) {
    const { findings, trials } = given;
    if (NODES.length === 0) {
      findings.notRun = NO_CLUSTER;
      return;
    }
    const context = { ...given, ...(await openCluster(given, many)) };
    const clients = many === undefined ? 6 : 1;
    const sites = await openSites(context, { url: context.citus.url(places), clients });
    for (let number = 1; number <= trials && findings.failures.length === 0; number++) {
      await progress(sites);
      await trial({ ...context, sites }, number);
      findings.trials += 1;
    }
    await progress(sites);
    const refused = sites.reduce((sum, { recorder }) => sum + recorder.count('refused'), 0);
    given.options.progress(`  ${refused} requests were refused`);
    for (const site of sites) {
      findings.failOnInternalErrors(site.recorder);
      await findings.checked(site);
    }
  },
});

/** A node is killed, in turn a worker, the coordinator and one process of the service; all nodes are in DATABASE_URL. */
export const nodeKills = onCluster({
  name: 'node-kills',
  promise: 'P1 P2 P3 P4 P8',
  async trial(context, number) {
    const { sites } = context;
    const worker = sites[number % sites.length].account.node;
    if (number % 5 === 0) await killProcess(sites);
    else await killNode(context, number % 5 === 4 ? 0 : worker, { starts: number % 5 === 3 });
  },
});

/** The same, but that all goes through the coordinator, and only workers are killed. */
export const nodeKillsBehind = onCluster({
  name: 'node-kills-behind',
  promise: 'P1 P2 P3 P4 P8',
  places: [0],
  trial: (context, number) =>
    killNode(context, context.sites[number % context.sites.length].account.node, { isBehind: true }),
});

/**
 * Kills a node and starts it again. Accounts on other nodes must not notice, unless it is what all goes through.
 * @param how.starts whether a process is killed, too, and another one started before the node is
 */
async function killNode(context, node, { isBehind = false, starts = false }) {
  const { citus, findings, options, sites } = context;
  const what = `node ${node} is killed`;
  const before = performance.now();
  await progress(sites);
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

/** Kills the last process, and starts another one in its place. */
async function killProcess([site]) {
  const target = site.services.length - 1;
  await site.services[target].kill();
  await site.start(target);
}

const p50 = (requests) =>
  percentile(
    requests.map(({ start, end }) => end - start).sort((a, b) => a - b),
    0.5,
  )?.toFixed(1);

/**
 * A node is added, an account gets a shard of its own, and shards move to each node in turn, while the clients of
 * 50 accounts are served.
 */
export const shardMoves = onCluster({
  name: 'shard-moves',
  many: 50,
  promise: 'P1 P2 P3 P5',
  trials: { quick: 0, long: 12 },
  async trial({ citus, sites }, number) {
    const { account } = sites[number % sites.length];
    if (number === 1) {
      await addCoordinator(citus);
      await isolate(citus, account);
    }
    await move(citus, account);
  },
});

/** The coordinator has no shards until then. */
function addCoordinator(citus) {
  const { hostname, port } = citus.nodes[0];
  const values = [hostname, Number(port)];
  return citus.ask(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)`, values);
}

const isolate = (citus, { id }) =>
  citus.ask(`SELECT isolate_tenant_to_new_shard('accounts', $1::uuid, 'CASCADE', 'block_writes')`, [id]);

async function move(citus, { id, slug }) {
  const from = await citus.nodeOf(slug);
  const to = (from + 1) % citus.nodes.length;
  const [source, target] = [from, to].map((n) => citus.nodes[n]);
  await citus.ask(
    `SELECT citus_move_shard_placement(get_shard_id_for_distribution_column('accounts', $1::uuid), $2, $3, $4, $5, 'auto')`,
    [id, source.hostname, Number(source.port), target.hostname, Number(target.port)],
  );
}
