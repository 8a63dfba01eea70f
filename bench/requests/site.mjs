// A database with an account of each size, and the servers on it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAccount } from '../support/load-account.mjs';
import { startServer, stopServer } from '../support/processes.mjs';
import { postmasterOf } from '../support/usage.mjs';
import { ROUTERS, USERS } from './operations.mjs';
import { startPostgrest } from './postgrest.mjs';
import { withClient } from '../support/with-client.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);
const { EmbeddedPostgres } = require('../../dist/src/database/embedded/embedded-postgres.js');
const POOL = 20;

/** The configuration of an account. */
function configuration(slug) {
  const user = (n) => `{ email: user${n}@bench.test }`;
  const users = Array.from({ length: USERS }, (_, n) => user(n)).join(', ');
  const pool = Array.from({ length: 10 }, (_, n) => user(n)).join(', ');
  const router = (n) =>
    `      - { name: R${String(n).padStart(3, '0')}, object_type: contacts, published: true, settings: { overwrite: true }, users: [${pool}] }`;
  const routers = Array.from({ length: ROUTERS }, (_, n) => router(n));
  return `  - slug: ${slug}\n    users: [${users}]\n    routers:\n${routers.join('\n')}\n`;
}

export class Site {
  servers = new Map();
  accounts = [];

  constructor(folder, postgres) {
    this.folder = folder;
    this.postgres = postgres;
    this.postmaster = postmasterOf(join(folder, 'data'));
    this.env = {
      DATABASE_URL: postgres.url,
      DATABASE_POOL_SIZE: String(POOL),
      JWT_SECRET: 'a-secret-for-benchmarks-of-32-bytes-or-more',
      PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_CLIENT: '0',
      RATE_LIMIT_PER_ACCOUNT: '0',
      DEMO: 'false',
    };
  }

  static async create() {
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
    return new Site(folder, await EmbeddedPostgres.open({ dataDir: join(folder, 'data') }));
  }

  /** Runs a command. @returns what it prints */
  command(...args) {
    const env = { ...process.env, ...this.env };
    return execFileSync(process.execPath, [join(root, 'dist/src/cli.js'), ...args], { env }).toString();
  }

  /** Makes an account of each size, with as many records and log entries. */
  async load(sizes, progress) {
    this.command('migrate');
    const file = join(this.folder, 'bench.yaml');
    const slugs = sizes.map((size) => `size-${size}`);
    writeFileSync(file, `accounts:\n${slugs.map(configuration).join('')}`);
    this.command('apply', file);
    await this.sql(async (client) => {
      for (const [index, size] of sizes.entries()) {
        progress(`${size} records and log entries`);
        const account = await client.query('SELECT id FROM accounts WHERE slug = $1', [slugs[index]]);
        const { id } = account.rows[0];
        const routers = await client.query('SELECT id FROM routers WHERE account_id = $1 ORDER BY name', [
          id,
        ]);
        const ids = routers.rows.map((row) => row.id);
        const rows = { account: id, records: size, entries: size, users: USERS, routers: ids };
        this.accounts.push({
          slug: slugs[index],
          size,
          id,
          routers: ids,
          objects: await loadAccount(client, rows),
        });
      }
      progress('counts and statistics');
      this.command('check', '--repair');
      await client.query('VACUUM ANALYZE');
    });
  }

  /** Starts the service and the baselines. */
  async start(progress) {
    progress('servers');
    const script = (path) => startServer(join(root, path), this.env);
    this.servers.set('Fairlead', await script('dist/src/main.js'));
    this.servers.set('node:http', await script('bench/requests/bare-server.mjs'));
    this.servers.set('Express', await script('bench/requests/express-server.mjs'));
    const postgrest = await startPostgrest(join(this.folder, 'postgrest'), {
      url: this.postgres.url,
      poolSize: POOL,
    });
    if (postgrest !== undefined) this.servers.set('PostgREST', postgrest);
    for (const account of this.accounts) account.headers = await this.login(account);
  }

  async login({ slug }) {
    const printed = this.command('client', 'create', '--account', slug, '--name', 'bench', '--json');
    const { client_id, client_secret } = JSON.parse(printed);
    const response = await fetch(`${this.servers.get('Fairlead').address}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, client_secret }),
    });
    if (!response.ok) throw new Error(`A token: ${response.status} ${await response.text()}`);
    return { authorization: `Bearer ${(await response.json()).access_token}` };
  }

  sql(work) {
    return withClient(this.postgres.url, work);
  }

  async stop() {
    await Promise.all([...this.servers.values()].map(stopServer));
    await this.postgres.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
