import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_ROLE } from '../../src/database/embedded/cluster-roles.js';
import { dataLayout } from '../../src/database/embedded/data-layout.js';
import { parsePostmasterPid } from '../../src/database/embedded/postmaster-pid.js';
import { databaseUrl, serverAddress } from '../../src/database/embedded/server-address.js';
import { waitFor } from './wait-for.js';

const DIST = join(__dirname, '../../dist/src');

/** The environment variables that a test sets for a program. Of all others, only PATH and HOME are set. */
export type Environment = Readonly<Record<string, string>>;

/** A compiled program of the project that is running or has ended. */
export class Program {
  stdout = '';
  stderr = '';

  private constructor(private readonly child: ReturnType<typeof spawn>) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Starts `dist/src/<name>.js` in its own directory, with a standard input that is empty or `input`. */
  static start(
    name: 'main' | 'cli',
    args: readonly string[],
    { env, cwd, input = '' }: { env: Environment; cwd: string; input?: string },
  ): Program {
    const child = spawn(process.execPath, [join(DIST, `${name}.js`), ...args], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    });
    // The pipe breaks when a program ends before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return new Program(child);
  }

  get ended(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /**
   * Returns the exit code once the program has ended and its whole output has been read; null when a signal
   * ended it.
   */
  async exit(): Promise<number | null> {
    if (!this.ended || this.child.stdout?.closed === false || this.child.stderr?.closed === false) {
      await once(this.child, 'close');
    }
    return this.child.exitCode;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Asks a server to stop. @returns its exit code */
  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.exit();
  }

  /** The lines of standard output that are log lines. */
  get logs(): Record<string, any>[] {
    const whole = this.stdout.slice(0, this.stdout.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  }

  /** Returns the address that a server listens on. @throws its output when it ends instead */
  listening(): Promise<string> {
    return waitFor('the server to listen', () => {
      if (this.ended) throw new Error(`The server ended:\n${this.stdout}\n${this.stderr}`);
      const line = this.logs.find(({ msg }) => msg === 'listening');
      return line === undefined ? undefined : String(line['address']);
    });
  }
}

/** Programs of one test file, each in a temporary directory. They are removed after each test. */
export class Programs {
  private readonly running: Program[] = [];
  private readonly folders: string[] = [];

  /** A new temporary directory. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'fairlead-program-'));
    this.folders.push(folder);
    return folder;
  }

  /** Starts the server, on a free port and without a drain unless the environment says otherwise. */
  server(env: Environment, cwd = this.folder()): Program {
    const program = Program.start('main', [], { env: { PORT: '0', DRAIN_SECONDS: '0', ...env }, cwd });
    this.running.push(program);
    return program;
  }

  /** Starts the command line. */
  start(
    args: readonly string[],
    env: Environment,
    { input, cwd = this.folder() }: { input?: string; cwd?: string } = {},
  ): Program {
    const program = Program.start('cli', args, { env, cwd, ...(input === undefined ? {} : { input }) });
    this.running.push(program);
    return program;
  }

  /** Runs the command line to its end. */
  async cli(
    args: readonly string[],
    env: Environment,
    options: { input?: string; cwd?: string } = {},
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const program = this.start(args, env, options);
    const code = await program.exit();
    return { code, stdout: program.stdout, stderr: program.stderr };
  }

  /** Ends every program that is still running, and every embedded database in a folder of this test. */
  async end(): Promise<void> {
    for (const program of this.running.splice(0)) {
      if (program.ended) continue;
      program.signal('SIGKILL');
      await program.exit();
    }
    for (const folder of this.folders.splice(0)) {
      for (const dataDir of [folder, join(folder, 'data')]) {
        const pid = postgresOf(dataDir);
        if (pid === undefined) continue;
        process.kill(pid, 'SIGKILL');
        await waitFor('the database to end', () => postgresOf(dataDir) === undefined);
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  }
}

/** Process id of the embedded database that runs in a data directory; undefined when there is none. */
export function postgresOf(dataDir: string): number | undefined {
  try {
    const [line] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(line);
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres') ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** The address of the embedded database that runs in a data directory. */
export function postgresUrl(dataDir: string): string {
  const { cluster, pidFile } = dataLayout(realpathSync(dataDir));
  const pid = parsePostmasterPid(readFileSync(pidFile, 'utf8'));
  const address = pid && serverAddress(pid, cluster);
  if (!address) throw new Error(`No PostgreSQL listens in ${dataDir}`);
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
  return databaseUrl(address, SERVICE_ROLE, password);
}
