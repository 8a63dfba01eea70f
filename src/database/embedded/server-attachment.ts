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

/** What it takes to find a server that may be running. */
interface AttachContext {
  readonly layout: DataLayout;
  readonly password: string;
  readonly log: (message: string) => void;
}

/**
 * One look at the server: in use now; on its way up or down, and why it did not answer; not there; or not there, with
 * a pid file (its text) that would keep a new one from starting.
 */
type Sighting =
  | { readonly attachment: Attachment }
  | { readonly waitingFor: string }
  | { readonly leftover: string }
  | 'absent';

const START_MS = 30_000;
const POLL_MS = 15;
/** PostgreSQL writes its pid file at once: one that is incomplete for so long is what a power failure left. */
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
  // PostgreSQL would take the process for its own.
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

/** Uses the server if it is running and answers at once; undefined otherwise. */
export async function adoptServer(context: AttachContext): Promise<Attachment | undefined> {
  const sighting = await look(context);
  return typeof sighting === 'object' && 'attachment' in sighting ? sighting.attachment : undefined;
}

/** Only for the holder of the directory's lock: nobody else can know that no server is about to write the file. */
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
 * Uses the server, which is started when it is not running. Only the holder of the directory's lock may call this.
 *
 * @throws {EmbeddedPostgresError} with the end of its log when the server does not start, or when it does not answer
 *   within 30 seconds
 */
export async function attachServer(context: AttachContext, options: StartOptions): Promise<Attachment> {
  const { layout } = context;
  const deadline = Date.now() + START_MS;
  let starter: ServerStarter | undefined;
  let waitingFor = 'the server has not begun to answer';
  while (Date.now() < deadline) {
    // Asked first: a server that is seen to have ended by now cannot be about to write its pid file.
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
