// Starts the built service with its demo account, on an embedded database that is gone afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const LONGEST_START = 120_000;

/** A port of the loopback address that nobody listens on. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The environment without settings of the service, and with these. */
function environment(settings) {
  const known = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm);
  const env = { ...process.env };
  for (const [, name] of known) delete env[name];
  return { ...env, ...settings };
}

/** All that the service prints until it has printed the credentials of the demo account. */
function printedBy(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const give = () => reject(new Error(`The service has not started:\n${output}`));
    const timer = setTimeout(give, LONGEST_START);
    child.on('exit', () => {
      clearTimeout(timer);
      give();
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (!/client_secret:\s+\S+\s/.test(output)) return;
        clearTimeout(timer);
        resolve(output);
      });
    }
  });
}

/** @returns the address of the service, the credentials of its client, and a function that stops it */
export async function startDemoService() {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-demo-'));
  const port = await freePort();
  const settings = { DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', PORT: String(port) };
  const child = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
    cwd: folder,
    env: environment(settings),
  });
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const output = await printedBy(child);
    const word = (name) => new RegExp(`${name}:\\s+(\\S+)`).exec(output)?.[1];
    const url = `http://127.0.0.1:${port}`;
    return { url, clientId: word('client_id'), clientSecret: word('client_secret'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
