import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { runCommand } from '../../../src/commands/command-line.js';
import { dataLayout, parsePostmasterPid } from '../../../src/database/embedded/data-dir.js';
import { databaseUrl } from '../../../src/database/embedded/start.js';
import { openServer } from '../../../src/start/server.js';
import { parseSettings, settingNames, type Settings } from '../../../src/settings/settings.js';
import { copyOfDataDir } from '../database/test-cluster.cjs';
import { during } from '../statements/collect.cjs';
import { waitFor } from '../wait-for.js';

const SRC = join(__dirname, '../../../src');
/** Compiles what a program loads. */
const COMPILER = join(__dirname, '../../runner/compile.cjs');

const SETTINGS: ReadonlySet<string> = new Set(settingNames());
/** Those that may be paths from the working directory. */
const PATHS: ReadonlySet<string> = new Set(['DATA_DIR', 'APPLY_FILE']);

/** The environment variables that a test sets for a program. Of all others, only PATH and HOME are set. */
export type Environment = Readonly<Record<string, string>>;

/**
 * The settings of an environment in this process.
 * @throws Error for what only a process of its own has
 */
function settingsOf(env: Environment, cwd: string): Settings {
  const others = Object.keys(env).filter((name) => !SETTINGS.has(name));
  if (others.length > 0) throw new Error(`Only a process has ${others.join(', ')} in its environment`);
  if (existsSync(join(cwd, '.env'))) throw new Error('Only a process reads .env');
  const inFolder = ([name, value]: [string, string]): [string, string] => [
    name,
    PATHS.has(name) && value !== '' ? resolve(cwd, value) : value,
  ];
  return parseSettings(
    Object.fromEntries(Object.entries({ ...env, DATA_DIR: env['DATA_DIR'] || 'data' }).map(inFolder)),
  );
}

/** What a command has printed, and its exit code; null when a signal has ended it. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a test may give to a command beside its environment. */
export interface CommandOptions {
  /** Standard input. Default: it is empty. */
  readonly input?: string;
  /** The working directory. Default: a new folder. */
  readonly cwd?: string;
}

/** A stream that keeps what is written. */
class Kept extends Writable {
  text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    this.text += text;
    done();
  }
}

/** A program of the project that is running or has ended. */
export class Program {
  stdout = '';
  stderr = '';

  private constructor(private readonly child: ReturnType<typeof spawn>) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Starts `src/<name>.ts` in its own directory, with a standard input that is empty or `input`. */
  static start(
    name: 'main' | 'cli',
    args: readonly string[],
    { env, cwd, input = '' }: { env: Environment; cwd: string; input?: string },
  ): Program {
    const child = spawn(process.execPath, ['--require', COMPILER, join(SRC, `${name}.ts`), ...args], {
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

  /** Reads the first part of standard output and closes it, as `head` does. */
  async readBeginning(): Promise<void> {
    if (this.stdout === '') await once(this.child.stdout!, 'data');
    this.child.stdout!.destroy();
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

  /** A new folder whose `data` has an embedded database that a command has made, and no server has used. */
  async folderWithData(): Promise<string> {
    const folder = this.folder();
    await copyOfDataDir(join(folder, 'data'), async (DATA_DIR) => {
      const { code, stderr } = await this.cli(['migrate'], { DATA_DIR });
      if (code !== 0) throw new Error(stderr);
    });
    return folder;
  }

  /**
   * Starts the server in this process, where it must not come to listen.
   * @returns what the program prints on standard error
   */
  async refusedServer(env: Environment, cwd = this.folder()): Promise<string> {
    try {
      const settings = settingsOf({ PORT: '0', LOG_LEVEL: 'silent', ...env }, cwd);
      const { signal } = new AbortController();
      const stop = await openServer(settings, { extensions: [], signal });
      await stop({ drain: 0, grace: 0 });
    } catch (error) {
      return `${(error as Error).message}\n`;
    }
    throw new Error('The server has started');
  }

  /** Starts the server, on a free port and without a drain unless the environment says otherwise. */
  server(env: Environment, cwd = this.folder()): Program {
    const program = Program.start('main', [], { env: { PORT: '0', DRAIN_SECONDS: '0', ...env }, cwd });
    this.running.push(program);
    return program;
  }

  /** Starts the command line as a process. */
  start(
    args: readonly string[],
    env: Environment,
    { input, cwd = this.folder() }: CommandOptions = {},
  ): Program {
    const program = Program.start('cli', args, { env, cwd, ...(input === undefined ? {} : { input }) });
    this.running.push(program);
    return program;
  }

  /**
   * Runs a command to its end in this process, which is many times cheaper than one of its own. Nothing but
   * `env` says its settings: there is no `.env`.
   */
  async cli(
    args: readonly string[],
    env: Environment,
    { input = '', cwd = this.folder() }: CommandOptions = {},
  ): Promise<Ended> {
    const [stdin, stdout, stderr] = [new PassThrough(), new Kept(), new Kept()];
    stdin.end(input);
    const code = await during('command', args[0] ?? '', () =>
      runCommand(args, {
        settings: () => Promise.resolve(cwd).then((folder) => settingsOf(env, folder)),
        stdin: () => stdin,
        stdout,
        stderr,
        cwd,
      }),
    );
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  /** Runs the command line to its end as a process. */
  async process(args: readonly string[], env: Environment, options: CommandOptions = {}): Promise<Ended> {
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
  const directory = parsePostmasterPid(readFileSync(pidFile, 'utf8'), cluster)?.directory;
  if (directory === undefined) throw new Error(`No PostgreSQL listens in ${dataDir}`);
  const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
  return databaseUrl(directory, password);
}
