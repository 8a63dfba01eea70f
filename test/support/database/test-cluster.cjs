// The cluster of a test run. Making one takes seconds, so a copy is kept for later runs, until the migrations or the
// code that makes it have changed.
const { execFileSync, spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require('node:fs');
const { basename, extname, join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { Client } = require('pg');

const ROOT = join(__dirname, '..', '..', '..');
const HOUR = 3_600_000;
const CACHE = join(ROOT, 'node_modules', '.cache', 'fairlead-tests');
const MAKERS = [
  'migrations',
  'src/commands',
  'src/database',
  'src/start/entities.ts',
  'src/start/service-database.ts',
  'test/faults/embedded-support.ts',
  'test/support/global-setup.cjs',
  'test/support/database/test-cluster.cjs',
];

const embedded = (name) => require(`../../../src/database/embedded/${name}.ts`);

/** No test interrupts the power supply of this server, so nothing of it need reach the disk. */
const SETTINGS = {
  max_connections: '200',
  superuser_reserved_connections: '0',
  shared_buffers: '128MB',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  log_min_messages: 'log',
  listen_addresses: '',
  session_preload_libraries: 'auto_explain',
};

/** With which a test sees the plans of what the service sends: `PlanLog`. */
const PLAN_SETTINGS = [
  'log_min_duration',
  'log_analyze',
  'log_timing',
  'log_format',
  'log_level',
  'log_nested_statements',
].map((name) => `auto_explain.${name}`);

/** Has the C library keep memory that it has freed: each page from the system costs a page fault. */
const KEEPS_MEMORY = {
  MALLOC_TOP_PAD_: String(4 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
};

function filesOf(path) {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Changes where a cluster made now would be another one. */
function digest() {
  const hash = createHash('sha1').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const maker of MAKERS.map((path) => join(ROOT, path))) {
    for (const file of extname(maker) === '' ? filesOf(maker) : [maker]) hash.update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Makes the cluster, in which the role of the service may make further databases. */
async function initialise(dataDir) {
  const layout = await embedded('data-dir').prepareDataDirectory(dataDir);
  const account = await embedded('account').serviceAccount(undefined);
  const binaries = await embedded('binaries').nativeBinaries(account);
  const password = embedded('data-dir').loadPassword(layout, false);
  const { initialiseCluster, runAsSuperuser } = embedded('init');
  await initialiseCluster(layout, password, { binaries, account });
  const grant = `GRANT SET ON PARAMETER ${PLAN_SETTINGS.join(', ')} TO fairlead`;
  await runAsSuperuser(layout.cluster, ['ALTER ROLE fairlead CREATEDB', grant], { binaries, account });
}

/**
 * Starts PostgreSQL in a data directory, on a Unix socket in it.
 * @returns its address, and how to stop it
 */
async function startServer(dataDir) {
  const layout = embedded('data-dir').dataLayout(dataDir);
  const account = await embedded('account').serviceAccount(undefined);
  const { postgres } = await embedded('binaries').nativeBinaries(account);
  const { identity, PROGRAM_ENV } = embedded('account');
  // A test opens hundreds of connections, and a password costs each of them milliseconds. Databases whose name begins
  // with scram_ ask for it, as the embedded server does.
  const rules = `${dataDir}.hba`;
  writeFileSync(rules, 'local "/^scram_" fairlead scram-sha-256\nlocal all fairlead trust\n');
  const settings = { ...SETTINGS, unix_socket_directories: layout.cluster, hba_file: rules };
  const child = spawn(
    postgres,
    [
      '-D',
      layout.cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: layout.cluster,
      env: { ...PROGRAM_ENV, ...KEEPS_MEMORY },
      ...identity(account),
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (log = (log + text).slice(-10_000)));
  child.unref();
  child.stderr.unref();
  const password = readFileSync(layout.passwordFile, 'utf8').trim();
  const url = `postgres://fairlead:${password}@${encodeURIComponent(layout.cluster)}:5432/fairlead`;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`PostgreSQL has ended:\n${log}`);
    const client = new Client({ connectionString: url });
    const isReady = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isReady) break;
    await sleep(20);
  }
  const close = async () => {
    child.ref();
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { url, close };
}

/**
 * Puts what `make` makes into the directory `path`, which must not exist. A copy is kept for later runs.
 * @param name of what is kept
 */
async function copyOf(name, path, make) {
  const kept = join(CACHE, `${name}-${digest()}`);
  if (existsSync(kept)) {
    utimesSync(kept, new Date(), new Date());
    execFileSync('cp', ['-a', kept, path]);
    return;
  }
  mkdirSync(CACHE, { recursive: true });
  const made = `${path}.made`;
  await make(made);
  const next = `${kept}.${process.pid}`;
  execFileSync('cp', ['-a', made, next]);
  try {
    renameSync(next, kept);
  } catch (error) {
    // Another worker was faster, and others may copy what it keeps.
    if (!['EEXIST', 'ENOTEMPTY'].includes(error.code)) throw error;
    rmSync(next, { recursive: true });
  }
  // What a run of before has kept, or left behind. Runs of other checkouts that share the folder may be making or
  // copying theirs now.
  const isOld = (entry) => {
    const since = statSync(join(CACHE, entry), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    return entry.startsWith(`${name}-`) && !entry.startsWith(basename(kept)) && Date.now() - since > HOUR;
  };
  for (const old of readdirSync(CACHE).filter(isOld))
    rmSync(join(CACHE, old), { recursive: true, force: true });
  renameSync(made, path);
}

/**
 * Puts a cluster into the directory `dataDir`, which must not exist.
 * @param prepare gets the address of a new cluster, before a copy is kept
 */
async function copyOfCluster(dataDir, prepare) {
  await copyOf('cluster', dataDir, async (made) => {
    await initialise(made);
    const server = await startServer(made);
    await prepare(server.url).finally(() => server.close());
  });
}

/**
 * Puts a data directory of the service into `dataDir`, which must not exist, with an embedded database.
 * @param make makes such a directory
 */
const copyOfDataDir = (dataDir, make) => copyOf('data', dataDir, make);

module.exports = { copyOf, copyOfCluster, copyOfDataDir, startServer };
