import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DirectoryIdentity } from './cluster-identity.js';
import type { ClusterFiles } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmasterPid } from './postmaster-pid.js';
import { type ProcessState, processState } from './process-state.js';
import { runProgram } from './run-program.js';

const STOP_MS = 30_000;
const POLL_MS = 10;

function isThere(state: ProcessState): boolean {
  return state === 'ours' || state === 'unknown';
}

/**
 * Stops the server of a cluster, whichever process started it, and waits until it has ended. Open sessions
 * are closed and their transactions rolled back ("fast shutdown"). Does nothing when the server is not
 * running.
 *
 * @param directory the directory that the server was found in. When the data directory was replaced, the
 *   server of the new one must not be stopped.
 * @param pgCtl path of the program `pg_ctl`, which is used on Windows, where there are no signals
 * @throws {EmbeddedPostgresError} when the server still runs after 30 seconds
 */
export async function stopServer(
  { cluster, pidFile }: ClusterFiles,
  { dev, ino }: DirectoryIdentity,
  pgCtl: string,
): Promise<void> {
  const now = await stat(cluster).catch(() => undefined);
  const content = (await readPostmasterPid(pidFile))?.content;
  if (now?.dev !== dev || now.ino !== ino) return;
  if (!content || !isThere(await processState(content.pid, cluster))) return;
  if (process.platform === 'win32') {
    await runProgram(pgCtl, ['stop', '--pgdata', cluster, '--mode', 'fast', '--wait'], {
      cwd: cluster,
      account: undefined,
    });
  } else {
    process.kill(content.pid, 'SIGINT');
  }
  const deadline = Date.now() + STOP_MS;
  while (isThere(await processState(content.pid, cluster))) {
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL (process ${content.pid}) did not stop within ${STOP_MS / 1000} seconds. ` +
          'It goes on stopping by itself; its data is safe.',
      );
    }
    await delay(POLL_MS);
  }
}
