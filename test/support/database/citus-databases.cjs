// Databases on the Citus cluster that CITUS_URLS names: the addresses of its nodes, the coordinator first. A superuser of
// the cluster makes them, and each has the same role, extension and nodes. See docs/testing.md.
const { Client } = require('pg');

const IN_USE = '55006';

/** The addresses of the nodes. */
const nodes = () => process.env.CITUS_URLS.trim().split(/\s+/);

/** @param database its name on each node */
const urlOf = (node, database) => Object.assign(new URL(node), { pathname: `/${database}` }).href;

async function run(url, ...statements) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Runs statements on each node, in the database of its address unless given. */
const everywhere = (statements, database) =>
  Promise.all(
    nodes().map((node) => run(database === undefined ? node : urlOf(node, database), ...statements)),
  );

/**
 * Makes a database whose nodes know each other.
 * @param before gets its address while it is none of a cluster yet
 * @returns its address at the coordinator
 */
async function createDatabase(name, before = async () => {}) {
  const [coordinator, ...workers] = nodes().map((node) => new URL(node));
  const host = ({ hostname, port }) => `'${hostname}', ${port}`;
  await everywhere([`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`]);
  const url = urlOf(coordinator, name);
  await before(url);
  await everywhere(['CREATE EXTENSION citus'], name);
  await run(
    url,
    `SELECT citus_set_coordinator_host(${host(coordinator)})`,
    ...workers.map((worker) => `SELECT citus_add_node(${host(worker)})`),
  );
  return url;
}

/** Makes a database to be copied. @param prepare gets its address at the coordinator */
async function createTemplate(name, prepare) {
  await prepare(await createDatabase(name));
  // Citus's own process of the database would keep it from being copied.
  await everywhere([
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  ]);
}

/** Copies a database, with its nodes and shards. @returns its address at the coordinator */
async function copyTemplate(template, name) {
  await everywhere([`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`]);
  return urlOf(nodes()[0], name);
}

/**
 * @returns an address at the coordinator as the service gets it: that of the node whose place CITUS_NODE is, or of all;
 *   any other one as it is
 */
function asServed(url) {
  const { CITUS_URLS, CITUS_NODE = '0' } = process.env;
  if (CITUS_URLS === undefined) return url;
  const hosts = nodes().map((node) => new URL(node).host);
  if (new URL(url).host !== hosts[0]) return url;
  return url.replace(hosts[0], CITUS_NODE === 'all' ? hosts.join(',') : hosts[Number(CITUS_NODE)]);
}

/** Drops a database, again where Citus's own process of it has come back before it was gone. */
async function dropDatabase(name, tries = 5) {
  try {
    await everywhere([`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`]);
  } catch (error) {
    if (error.code !== IN_USE || tries === 1) throw error;
    await dropDatabase(name, tries - 1);
  }
}

/** Asks a node. @returns the one row */
async function askNode(url, text, values) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows[0];
  } finally {
    await client.end();
  }
}

/** @param url of a database at a node @returns the place among the nodes of the one that has an account */
async function placeOf(url, slug) {
  const { port } = await askNode(
    url,
    `SELECT n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
      WHERE p.shardid = get_shard_id_for_distribution_column('accounts',
        (SELECT account_id FROM account_keys WHERE kind = 'slug' AND key = $1))`,
    [slug],
  );
  return nodes().findIndex((node) => Number(new URL(node).port) === port);
}

/** @param url of any database at a server of this machine @returns the id of the server's first process */
async function postmasterOf(url) {
  const { file } = await askNode(url, `SELECT pg_read_file('postmaster.pid') AS file`);
  return Number(file.split('\n')[0]);
}

module.exports = {
  asServed,
  copyTemplate,
  createDatabase,
  createTemplate,
  dropDatabase,
  placeOf,
  postmasterOf,
};
