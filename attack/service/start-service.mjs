// Starts the built service as a process of its own, on an embedded database in a temporary directory.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer, stopServer } from '../../bench/support/processes.mjs';
import { Connections } from '../wire/connection.mjs';
import { request } from '../wire/request.mjs';
import { ATTACKER, VICTIM, configuration } from './configuration.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);

/**
 * @returns { pid, port, databaseUrl, attacker, victim, ask, cli, login, close }: two clients with
 *   tokens, `ask` sends the bytes of a request, `cli` runs a command, `login` creates a client of an account
 */
export async function startService() {
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlead-attack-'));
  const postgres = await EmbeddedPostgres.open({ dataDir });
  const undo = [() => postgres.close()];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const file = join(dataDir, 'accounts.yaml');
    writeFileSync(file, configuration());
    const env = {
      DATABASE_URL: postgres.url,
      MIGRATE_ON_START: 'true',
      APPLY_FILE: file,
      DATA_DIR: dataDir,
      JWT_SECRET: 'a-secret-for-attacks-that-has-32-bytes-or-more',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_CLIENT: '0',
      RATE_LIMIT_PER_ACCOUNT: '0',
    };
    const server = await startServer(join(root, 'dist/src/main.js'), env);
    undo.push(() => stopServer(server));
    const port = Number(new URL(server.address).port);
    const connections = new Connections(port);
    undo.push(() => connections.close());
    const ask = (bytes, options) => connections.ask(bytes, options);
    const cli = commandLine(env);
    const login = (slug) => client(cli, ask, slug);
    const [attacker, victim] = await Promise.all([ATTACKER, VICTIM].map(login));
    const ended = { early: false };
    server.child.once('exit', () => (ended.early = undo.length > 0));
    return {
      pid: server.child.pid,
      port,
      databaseUrl: postgres.url,
      dataDir,
      attacker,
      victim,
      ask,
      cli,
      login,
      ended,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function commandLine(env) {
  const run = promisify(execFile);
  return async (...args) => {
    const { stdout } = await run(process.execPath, [join(root, 'dist/src/cli.js'), ...args], {
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };
}

/** Every scope, so that no route refuses a request before it reads it. */
const SCOPES = 'records:read records:write routers:read directory:read dispatch availability manage';

/** Creates an API client of the account, and returns its credentials and a token. */
async function client(cli, ask, slug) {
  const args = ['--account', slug, '--name', 'attack', '--scope', SCOPES, '--json'];
  const credentials = JSON.parse(await cli('client', 'create', ...args));
  const { client_id, client_secret } = credentials;
  const { status, body } = await ask(
    request('POST', '/oauth2/token', { body: { client_id, client_secret } }),
  );
  if (status !== 200) throw new Error(`No token for ${slug}: ${status} ${body}`);
  return { slug, client_id, client_secret, token: JSON.parse(body).access_token };
}
