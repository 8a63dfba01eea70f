import { stat } from 'node:fs/promises';
import { type ClusterIdentity, identifyCluster } from './cluster-identity.js';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { readPostmasterPid } from './postmaster-pid.js';
import { processState } from './process-state.js';
import { type ServerAddress, USES_SOCKET, serverAddress } from './server-address.js';
import { ServerHold } from './server-hold.js';
import { keepPort } from './server-port.js';

/** A server in use by this process. */
export interface Attachment {
  readonly hold: ServerHold;
  readonly address: ServerAddress;
  /** The cluster that it serves. */
  readonly cluster: ClusterIdentity;
}

/** Where to look for a server that may be running. */
export interface AttachContext {
  readonly layout: DataLayout;
  readonly password: string;
  readonly log: (message: string) => void;
  /** Name of the sessions of this process. */
  readonly sessionName: string;
  /** Gives up when it aborts, unless a server is being started. */
  readonly signal?: AbortSignal;
}

/**
 * The result of one check of the server. Either it is in use now; or it is starting or stopping, with the
 * reason why it did not answer; or it is absent; or it is absent and a leftover pid file (its text) would
 * keep a new one from starting.
 */
export type Sighting =
  | { readonly attachment: Attachment }
  | { readonly waitingFor: string }
  | { readonly leftover: string }
  | 'absent';

/**
 * Milliseconds after which an incomplete pid file counts as the result of a power failure. PostgreSQL writes
 * it at once.
 */
const INCOMPLETE_MS = 2_000;

/**
 * Looks for the running server of a cluster, and uses it when it answers.
 *
 * @throws {EmbeddedPostgresError} when it runs and will never let this process in
 */
export async function look({ layout, password, sessionName }: AttachContext): Promise<Sighting> {
  const { cluster, pidFile } = layout;
  const file = await readPostmasterPid(pidFile);
  if (!file) return 'absent';
  if (!file.content) {
    const written = await stat(pidFile).catch(() => undefined);
    return written && Date.now() - written.mtimeMs > INCOMPLETE_MS
      ? { leftover: file.text }
      : { waitingFor: `${pidFile} is incomplete` };
  }
  const { pid, status } = file.content;
  const state = await processState(pid, cluster);
  if (state === 'gone') return 'absent';
  // PostgreSQL would treat the process as its own.
  if (state === 'zombie' || state === 'other') return { leftover: file.text };
  if (status === 'stopping') return { waitingFor: `process ${pid} is stopping` };
  const address = serverAddress(file.content, cluster);
  if (!address) return { waitingFor: `process ${pid} does not listen yet` };
  try {
    const identity = await identifyCluster(layout);
    const hold = await ServerHold.take({ address, password, cluster }, sessionName);
    if (!USES_SOCKET) await keepPort(layout.portFile, address.port);
    return { attachment: { hold, address, cluster: identity } };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    return { waitingFor: `process ${pid}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
