// How long the service takes to be ready on an embedded database that is initialised.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-port.mjs';
import { SERVER } from '../support/service.mjs';

const STARTS = 5;

/** Starts the service and stops it. @returns milliseconds until it is ready */
async function startOnce(main, dataDir) {
  const port = await freePort();
  const { DATABASE_URL: _, ...rest } = process.env;
  const env = { ...rest, DATA_DIR: dataDir, PORT: String(port), DEMO: 'false', DRAIN_MS: '0' };
  const since = performance.now();
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error('The service has ended before it was ready');
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
      if (answer?.status === 200) return Math.round(performance.now() - since);
      await delay(5);
    }
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/**
 * @param main the program of the server
 * @returns milliseconds of each start but the first, which initialises the database
 */
export async function measureStart(progress, main = SERVER) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-start-'));
  try {
    const times = [];
    for (let n = 0; n <= STARTS; n++) {
      progress(`start ${n} of ${STARTS}`);
      times.push(await startOnce(main, join(folder, 'data')));
    }
    return times.slice(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
