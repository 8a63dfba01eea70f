import { spawn } from 'node:child_process';
import { errorCode } from './error-code.js';
import type { ServiceAccount } from './service-account.js';

/** How to start one of PostgreSQL's programs. */
interface ProgramOptions {
  readonly cwd: string;
  /** The user to run it as; undefined for this process's own. */
  readonly account: ServiceAccount | undefined;
}

/** How a program ended: its exit code (null when killed, or never started) and what it printed, both streams together. */
export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
  /** Why it could not be started at all: a system error's code (`EACCES`, `ENOENT`, `EPERM`). */
  readonly failure?: string;
}

/** Environment of PostgreSQL's programs: untranslated messages, and no search for the machine's time zone. */
export const PROGRAM_ENV: Readonly<NodeJS.ProcessEnv> = { LC_ALL: 'C', TZ: 'UTC' };

/** The user part of spawn's options. */
export function identity(account: ServiceAccount | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

async function spawnToEnd(
  program: string,
  args: readonly string[],
  { cwd, account }: ProgramOptions,
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      ...identity(account),
      env: PROGRAM_ENV,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const chunks: string[] = [];
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: chunks.join('') }));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    }
  });
}

/** Runs `program` (absolute path) to its end. Never rejects: a program that cannot be started is a result, too. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  try {
    return await spawnToEnd(program, args, options);
  } catch (error) {
    // Some failures of spawn are events, others are thrown.
    return { code: null, output: String(error), failure: errorCode(error) ?? 'unknown' };
  }
}
