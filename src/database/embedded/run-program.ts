import { spawn } from 'node:child_process';
import { errorCode } from '../errors.js';
import type { ServiceAccount } from './service-account.js';

/** Options to run one of PostgreSQL's programs. */
interface ProgramOptions {
  readonly cwd: string;
  /** The user to run it as; undefined for this process's own. */
  readonly account: ServiceAccount | undefined;
  /** What the program reads from its standard input. Default: nothing. */
  readonly input?: string;
}

/**
 * The result of a program: its exit code (null when killed, or never started) and its output, both streams
 * together.
 */
export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
  /** Why the program could not be started: a system error's code (`EACCES`, `ENOENT`, `EPERM`). */
  readonly failure?: string;
}

/** Environment of PostgreSQL's programs: untranslated messages, and no search for the machine's time zone. */
export const PROGRAM_ENV: Readonly<NodeJS.ProcessEnv> = { LC_ALL: 'C', TZ: 'UTC' };

/** Returns the user options of spawn. */
export function identity(account: ServiceAccount | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

async function spawnToEnd(
  program: string,
  args: readonly string[],
  { cwd, account, input = '' }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      ...identity(account),
      env: PROGRAM_ENV,
      stdio: 'pipe',
      windowsHide: true,
    });
    const chunks: string[] = [];
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: chunks.join('') }));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    }
    // The pipe breaks when a program ends before it has read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/**
 * Runs `program` (absolute path) to its end. Never rejects. A program that cannot be started is also a
 * result.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  try {
    return await spawnToEnd(program, args, options);
  } catch (error) {
    // spawn reports some failures as events and throws others.
    return { code: null, output: String(error), failure: errorCode(error) ?? 'unknown' };
  }
}
