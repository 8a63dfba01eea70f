// The service that people walk through: built, with its demo account, on a database of its own.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder, printed, run, stop } from '../../scripts/support/programs.mjs';
import { settingsOf, startProvider } from '../../scripts/support/provider.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { EmbeddedPostgres } = createRequire(import.meta.url)(
  '../../dist/src/database/embedded/embedded-postgres.js',
);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** What the service is told of a company's provider, which does not run yet. */
async function newProvider() {
  const [port, ofService] = [await freePort(), await freePort()];
  const address = `http://localhost:${ofService}`;
  const issuer = `http://127.0.0.1:${port}`;
  return {
    env: { PORT: String(ofService), ...settingsOf(issuer, address) },
    address,
    issuer,
    /** Starts it. @param person says whom it signs in */
    start: (person) => {
      // It warns of what no walk needs.
      for (const word of ['info', 'warn']) console[word] = () => undefined;
      return startProvider({ person, address, port });
    },
  };
}

/**
 * Starts the service on the embedded database, or on one at DATABASE_URL and with a provider of OpenID Connect.
 * @returns its address, the link that it printed, `link` for further ones, and `outage` and `provider` of the second
 */
export async function startService({ external = false } = {}) {
  const cwd = newFolder('walk');
  const dataDir = join(cwd, 'data');
  const open = () => EmbeddedPostgres.open({ dataDir: join(cwd, 'postgres') });
  let database = external ? await open() : undefined;
  const provider = external ? await newProvider() : undefined;
  const env = {
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: '0',
    DRAIN_SECONDS: '0',
    DEMO: 'true',
    RATE_LIMIT_PER_CLIENT: '0',
    ...(database !== undefined && {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      JWT_SECRET: 'a-secret-for-walks-that-has-32-bytes-or-more',
      ...provider.env,
    }),
  };
  const server = run(process.execPath, [join(root, 'dist/src/main.js')], { cwd, env, timeout: 0 });
  const [, listening] = await printed(server, /"address":"(http:\/\/[^"/]+)"[^\n]*"listening"/);
  const address = provider?.address ?? listening;
  const [first] = await printed(server, /http:\S+\/console\/enter#\S+/);
  const fairlead = async (...args) => {
    const options = { cwd, env: { ...process.env, ...env, CONSOLE_URL: address } };
    return (await promisify(execFile)(process.execPath, [join(root, 'dist/src/cli.js'), ...args], options))
      .stdout;
  };
  return {
    base: `${address}/console/`,
    first: first.replace(/^http:\/\/[^/]+/, address),
    provider,
    /** The database of the service ends, and comes back; where it is not its own. */
    outage: {
      // Whoever holds the server last ends it, whoever else has sessions.
      begin: () => database.close(),
      end: async () => {
        database = await open();
      },
    },
    /** A one-time link for an e-mail, by the command line. */
    link: async (email, role) => {
      const output = await fairlead('console', 'link', '--account', 'demo', '--email', email, '--role', role);
      return /http:\S+\/console\/enter#\S+/.exec(output)[0].replace(/^http:\/\/[^/]+/, address);
    },
    close: async () => {
      await stop(server);
      await database?.close();
    },
  };
}
