import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { hasAccessRules, writeAccessRules } from './access-rules.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmasterPid } from './postmaster-pid.js';
import { type AttachContext, type Attachment, look } from './server-sighting.js';
import { ServerStarter, type StartOptions, isWorthRetrying } from './server-starter.js';

const START_MS = 30_000;
const POLL_MS = 15;

/** Uses the server if it is running and answers at once. Returns undefined otherwise. */
export async function adoptServer(context: AttachContext): Promise<Attachment | undefined> {
  const sighting = await look(context);
  return typeof sighting === 'object' && 'attachment' in sighting ? sighting.attachment : undefined;
}

/**
 * Removes a leftover pid file. The caller must hold the directory's lock: only then can no server be about to
 * write it.
 */
async function removeLeftover({ layout, log }: AttachContext, text: string): Promise<void> {
  if ((await readPostmasterPid(layout.pidFile))?.text !== text) return;
  log(`Removing ${layout.pidFile}, which a killed server left behind.`);
  await rm(layout.pidFile, { force: true });
}

async function startFailed(starter: ServerStarter, failure: string): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL did not start (${failure}). The last lines of its log:\n${await starter.output()}`,
  );
}

/**
 * Uses the server, and starts it when it is not running. Rules of access that were changed are written again
 * before. The caller must hold the directory's lock.
 *
 * @throws {EmbeddedPostgresError} with the end of its log when the server does not start; when it does not
 *   answer within 30 seconds
 * @throws the reason of `context.signal` when it aborts while no server is being started
 */
export async function attachServer(context: AttachContext, options: StartOptions): Promise<Attachment> {
  const { layout } = context;
  const deadline = Date.now() + START_MS;
  let starter: ServerStarter | undefined;
  let waitingFor = 'the server has not begun to answer';
  while (Date.now() < deadline) {
    if (!starter) context.signal?.throwIfAborted();
    // This is read first: a server that has ended by now cannot write its pid file afterwards.
    const failure = starter?.failure();
    const sighting = await look(context);
    if (typeof sighting === 'object' && 'attachment' in sighting) return sighting.attachment;
    const waiting = typeof sighting === 'object' && 'waitingFor' in sighting;
    if (waiting) waitingFor = sighting.waitingFor;
    if (starter && failure !== undefined) {
      const output = await starter.output();
      if (!isWorthRetrying(output)) throw await startFailed(starter, failure);
      waitingFor = output;
      starter = undefined;
    } else if (!starter && !waiting) {
      if (sighting !== 'absent') await removeLeftover(context, sighting.leftover);
      if (!(await hasAccessRules(layout))) await writeAccessRules(layout, options.account);
      starter = await ServerStarter.start(layout, options);
    }
    await delay(POLL_MS);
  }
  throw new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${layout.cluster} (DATA_DIR) did not answer within ${START_MS / 1000} seconds ` +
      `(${waitingFor}). It may still be recovering from a crash: see ${layout.logFile} and try again. ` +
      `If no PostgreSQL is running, delete ${layout.pidFile}.`,
  );
}
