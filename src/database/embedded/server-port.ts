import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** Milliseconds in which the sessions of a killed server may give its port back. */
const PATIENCE_MS = 5_000;
const POLL_MS = 50;

async function keptPort(portFile: string): Promise<number | undefined> {
  const port = Number(await readFile(portFile, 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 && port < 2 ** 16 ? port : undefined;
}

/**
 * Returns the port that `keepPort` wrote to `portFile`, so that clients need not learn another one; a free
 * port when there is none, or another program has taken it.
 *
 * @param patience milliseconds for which another program must have it
 */
export async function choosePort(portFile: string, patience = PATIENCE_MS): Promise<number> {
  const kept = await keptPort(portFile);
  if (kept === undefined) return freePort();
  for (const deadline = Date.now() + patience; ; await delay(POLL_MS)) {
    const port = await freePort(kept).catch(() => undefined);
    if (port !== undefined) return port;
    if (Date.now() >= deadline) return freePort();
  }
}

/** Notes the port that a server listens on, for its next start. Never throws. */
export async function keepPort(portFile: string, port: number): Promise<void> {
  if ((await keptPort(portFile)) === port) return;
  // Without it, the next start uses another port.
  await writeFile(portFile, `${port}\n`, { mode: 0o600 }).catch(() => undefined);
}
