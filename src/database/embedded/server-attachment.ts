import { rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmasterPid } from './postmaster-pid.js';
import { processState } from './process-state.js';
import { ServerHold } from './server-hold.js';
import { ServerStarter, type StartOptions, isWorthRetrying } from './server-starter.js';

/** A server in use by this process. */
export interface Attachment {
  readonly hold: ServerHold;
  /** Port on 127.0.0.1. */
  readonly port: number;
}

/** Where to look for a server that may be running. */
interface AttachContext {
  readonly layout: DataLayout;
  readonly password: string;
  readonly log: (message: string) => void;
}

/**
 * The result of one check of the server. Either it is in use now; or it is starting or stopping, with the
 * reason why it did not answer; or it is absent; or it is absent and a leftover pid file (its text) would
 * keep a new one from starting.
 */
type Sighting =
  | { readonly attachment: Attachment }
  | { readonly waitingFor: string }
  | { readonly leftover: string }
  | 'absent';

const START_MS = 30_000;
const POLL_MS = 15;
/**
 * Milliseconds after which an incomplete pid file counts as the result of a power failure. PostgreSQL writes
 * it at once.
 */
const INCOMPLETE_MS = 2_000;

async function look({ layout, password, log }: AttachContext): Promise<Sighting> {
  const file = await readPostmasterPid(layout.pidFile);
  if (!file) return 'absent';
  if (!file.content) {
    const written = await stat(layout.pidFile).catch(() => undefined);
    return written && Date.now() - written.mtimeMs > INCOMPLETE_MS
      ? { leftover: file.text }
      : { waitingFor: `${layout.pidFile} is incomplete` };
  }
  const { pid, port, status } = file.content;
  const state = await processState(pid, layout.cluster);
  if (state === 'gone') return 'absent';
  // PostgreSQL would treat the process as its own.
  if (state === 'zombie' || state === 'other') return { leftover: file.text };
  if (status === 'stopping') return { waitingFor: `process ${pid} is stopping` };
  try {
    const hold = await ServerHold.take({ port, password, cluster: layout.cluster }, log);
    return { attachment: { hold, port } };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    return {
      waitingFor: `process ${pid} on port ${port}: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

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
 * Uses the server, and starts it when it is not running. The caller must hold the directory's lock.
 *
 * @throws {EmbeddedPostgresError} with the end of its log when the server does not start, or when it does not
 *   answer within 30 seconds
 */
export async function attachServer(context: AttachContext, options: StartOptions): Promise<Attachment> {
  const { layout } = context;
  const deadline = Date.now() + START_MS;
  let starter: ServerStarter | undefined;
  let waitingFor = 'the server has not begun to answer';
  while (Date.now() < deadline) {
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
