import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { errorCode } from '../errors.js';
import { EmbeddedPostgresError } from './data-dir.js';

/** The operating system user that PostgreSQL runs as when this process is root. */
export interface ServiceAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** The first of these users runs PostgreSQL. `_postgres` is that of macOS. */
const PREFERRED = ['postgres', '_postgres', 'nobody'];

/** Reads the lines of a passwd file. Malformed lines and those of root are left out. */
export function parsePasswd(text: string): ServiceAccount[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || name.startsWith('#') || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    const account = { name, uid: Number(uid), gid: Number(gid) };
    // spawn() takes signed 32-bit ids.
    return account.uid > 0 && account.uid < 2 ** 31 && account.gid < 2 ** 31 ? [account] : [];
  });
}

/**
 * Chooses the user that PostgreSQL runs as, because it refuses to run as root. Returns undefined unless this
 * process is root.
 *
 * @param owner owner of the existing cluster, if there is one; the server runs as this user unless it is root
 * @throws {EmbeddedPostgresError} when this process is root and the machine has no suitable user
 */
export async function serviceAccount(
  owner: { readonly uid: number; readonly gid: number } | undefined,
  passwdFile = '/etc/passwd',
): Promise<ServiceAccount | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const accounts = parsePasswd(await readFile(passwdFile, 'utf8').catch(() => ''));
  if (owner && owner.uid !== 0) {
    const { uid, gid } = owner;
    return accounts.find((each) => each.uid === uid) ?? { name: `uid ${uid}`, uid, gid };
  }
  const account = PREFERRED.map((name) => accounts.find((each) => each.name === name)).find(Boolean);
  if (account) return account;
  throw new EmbeddedPostgresError(
    'This process runs as root, which PostgreSQL refuses, and this machine has no user "postgres" or "nobody" ' +
      'to run it as. Start Fairlead as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.',
  );
}

/**
 * Returns the name by which a program that runs as `account`, in the working directory `directory`, opens
 * that directory. Linux's link to the working directory needs no permission on the directories above.
 */
export function ownDirectory(directory: string, account: ServiceAccount | undefined): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : directory;
}

/** Environment of PostgreSQL's programs: untranslated messages, and no search for the machine's time zone. */
export const PROGRAM_ENV: Readonly<NodeJS.ProcessEnv> = { LC_ALL: 'C', TZ: 'UTC' };

/** Returns the user options of spawn. */
export function identity(account: ServiceAccount | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

/** Returns the last lines of the output of a program, as an error shows them. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-15).join('\n');
}

/** Options to run one of PostgreSQL's programs. */
interface ProgramOptions {
  readonly cwd: string;
  /** The user to run it as; undefined for this process's own. */
  readonly account: ServiceAccount | undefined;
  /** What the program reads from its standard input. Default: nothing. */
  readonly input?: string;
}

/** The result of a program. */
export interface ProgramResult {
  /** Its exit code; null when it was killed or never started. */
  readonly code: number | null;
  /** What it wrote, to standard output and then to standard error. */
  readonly output: string;
  /** Why the program could not be started: a system error's code (`EACCES`, `ENOENT`, `EPERM`). */
  readonly failure?: string;
}

/**
 * Runs `program` (absolute path) to its end. Never rejects. A program that cannot be started is also a
 * result.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, account, input = '' }: ProgramOptions,
): Promise<ProgramResult> {
  const options = { cwd, ...identity(account), env: PROGRAM_ENV };
  const failed = (error: unknown): ProgramResult => ({
    code: null,
    output: String(error),
    failure: errorCode(error) ?? 'unknown',
  });
  return new Promise<ProgramResult>((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (typeof error?.code === 'string') resolve(failed(error));
      else resolve({ code: error ? (error.code ?? null) : 0, output: stdout + stderr });
    });
    // The pipe breaks when a program ends before it has read everything.
    child.stdin?.on('error', () => undefined).end(input);
    // Some failures are thrown.
  }).catch(failed);
}
