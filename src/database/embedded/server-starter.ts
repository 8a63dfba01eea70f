import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DataLayout } from './data-layout.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { NativeBinaries } from './native-binaries.js';
import { reachablePath } from './path-access.js';
import { PROGRAM_ENV, identity } from './run-program.js';
import type { ServerAddress } from './server-address.js';
import { listeningSettings } from './server-listening.js';
import { openServerLog, tailServerLog } from './server-log.js';
import type { ServiceAccount } from './service-account.js';

/** Options for the start of a server. */
export interface StartOptions {
  readonly binaries: NativeBinaries;
  /** The user that runs the server, which is the cluster's owner. Undefined for the user of this process. */
  readonly account: ServiceAccount | undefined;
  readonly maxConnections: number;
  /** Where the server listened before, and must listen again. */
  readonly at?: ServerAddress;
}

/**
 * Settings of a server that one machine uses, but for where it listens. They are given at every start, so
 * existing clusters get them too.
 */
export function serverSettings(maxConnections: number): Record<string, string> {
  return {
    max_connections: String(maxConnections),
    // No superuser ever logs in.
    superuser_reserved_connections: '0',
    password_encryption: 'scram-sha-256',
    shared_buffers: '128MB',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // Fewer processes use less memory. The server does not replicate.
    io_method: 'sync',
    max_logical_replication_workers: '0',
    // The log is trimmed only at a start, and the text of failed statements contains customers' data.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_min_messages: 'log',
    log_checkpoints: 'off',
  };
}

/** A start of the server that is under way. It may succeed or fail. */
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
   * Starts the server in a separate process group: Ctrl-C in a terminal must reach only this
   * process, which stops the server after its last requests. The server outlives this process.
   *
   * @throws {EmbeddedPostgresError} when the log cannot be written, the server's user cannot reach the
   *   cluster, there is no place for its socket, or the system refuses to start the program
   */
  static async start(
    layout: DataLayout,
    { binaries, account, maxConnections, at }: StartOptions,
  ): Promise<ServerStarter> {
    const settings = Object.entries({
      ...serverSettings(maxConnections),
      ...(await listeningSettings(layout, at)),
    });
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
      // The handle of the log can be closed once the program has started or failed to start.
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

  /**
   * Returns how the server ended (`exit code 1`, a signal, why it could not be run); undefined while it runs.
   */
  failure(): string | undefined {
    return this.ended;
  }

  /** Returns the last lines that the server has written since this start. */
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
 * Returns whether a failed start may succeed at a second attempt, judged by the output of the server. Such
 * causes are: its port was taken in the meantime; another process started the server first, or used this one
 * and has stopped it already; sessions of a killed server are still ending.
 */
export function isWorthRetrying(output: string): boolean {
  return PASSING_TROUBLE.some((pattern) => pattern.test(output));
}
