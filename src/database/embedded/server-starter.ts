import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { freePort } from './free-port.js';
import type { NativeBinaries } from './native-binaries.js';
import { reachablePath } from './path-access.js';
import { PROGRAM_ENV, identity } from './run-program.js';
import { openServerLog, tailServerLog } from './server-log.js';
import type { ServiceAccount } from './service-account.js';

/** What a server is started with. */
export interface StartOptions {
  readonly binaries: NativeBinaries;
  /** The user to run it as, the cluster's owner; undefined for this process's own. */
  readonly account: ServiceAccount | undefined;
  readonly maxConnections: number;
}

/** Settings of a server for one machine's use; given with every start, so they also reach existing clusters. */
export function serverSettings(port: number, maxConnections: number): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    shared_buffers: '128MB',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // Each process less is memory less; nothing here replicates.
    io_method: 'sync',
    max_logical_replication_workers: '0',
    // The log is trimmed only at a start, and the text of failed statements holds customers' data.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'log',
    log_checkpoints: 'off',
  };
}

/** A start of the server that has been set going and may succeed, or fail, from now on. */
export class ServerStarter {
  private ended: string | undefined;

  private constructor(
    child: ChildProcess,
    private readonly logFile: string,
    private readonly logFrom: number,
  ) {
    child.once('error', (error) => (this.ended = error.message));
    child.once('exit', (code, signal) => (this.ended = signal ?? `exit code ${code ?? 'unknown'}`));
  }

  /**
   * Starts the server on a free port, in a process group of its own: the Ctrl-C of a terminal must reach this
   * process alone, which stops the server when its last requests are done. The server outlives this process.
   *
   * @throws {EmbeddedPostgresError} when the log cannot be written, the server's user cannot reach the cluster, or
   *   the system refuses to start the program
   */
  static async start(
    layout: DataLayout,
    { binaries, account, maxConnections }: StartOptions,
  ): Promise<ServerStarter> {
    const settings = Object.entries(serverSettings(await freePort(), maxConnections));
    const directory = await reachablePath(layout.cluster, account);
    const log = await openServerLog(layout.logFile);
    try {
      const child = spawn(
        binaries.postgres,
        ['-D', directory, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
        {
          cwd: layout.cluster,
          ...identity(account),
          env: PROGRAM_ENV,
          detached: true,
          windowsHide: true,
          stdio: ['ignore', log.handle.fd, log.handle.fd],
        },
      );
      const starter = new ServerStarter(child, layout.logFile, log.from);
      child.unref();
      // The log's handle may be closed when the program has it.
      if (child.pid === undefined) await once(child, 'error').catch(() => undefined);
      return starter;
    } catch (error) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL could not be started: ${String(error)}`, {
        cause: error,
      });
    } finally {
      await log.handle.close();
    }
  }

  /** How the server ended (`exit code 1`, a signal, why it could not be run); undefined while it runs. */
  failure(): string | undefined {
    return this.ended;
  }

  /** The last lines that the server has written since this start. */
  async output(): Promise<string> {
    return tailServerLog(this.logFile, this.logFrom);
  }
}

const PASSING_TROUBLE = [
  /could not create any TCP\/IP sockets/,
  /lock file "postmaster\.pid" already exists/,
  /received fast shutdown request/,
  /shared memory block .* still in use/,
];

/**
 * Whether a failed start may go well when tried again, from what the server wrote: its port was taken in the
 * meantime; another process started the server first, or used this one and stopped it again already; sessions of a
 * killed server are still ending.
 */
export function isWorthRetrying(output: string): boolean {
  return PASSING_TROUBLE.some((pattern) => pattern.test(output));
}
