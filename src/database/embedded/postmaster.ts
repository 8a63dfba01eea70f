import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorCode } from '../errors.js';

/** The contents of `postmaster.pid`, which PostgreSQL writes. */
export interface PostmasterPid {
  readonly pid: number;
  /** Absolute path of the directory with its socket. Undefined while it does not listen. */
  readonly directory: string | undefined;
  /** State of the server: `starting`, `ready`, `stopping` or `standby`. Empty at the very start. */
  readonly status: string;
}

/**
 * Reads the text of the `postmaster.pid` of a cluster. Returns undefined when the text is not, or not yet,
 * complete.
 */
export function parsePostmasterPid(text: string, cluster: string): PostmasterPid | undefined {
  const [id, , , port, directory = '', , , status = ''] = text.split('\n');
  const pid = Number(id);
  if (!Number.isSafeInteger(pid) || pid <= 0 || !(Number(port) > 0)) return undefined;
  // The server may have written the directory relative to its own.
  return {
    pid,
    directory: directory === '' ? undefined : resolve(cluster, directory),
    status: status.trim(),
  };
}

/**
 * State of the process whose id is in a `postmaster.pid`:
 * - `gone`: no process has the id.
 * - `zombie`: the process ended, and its parent has not read its exit code. PostgreSQL would treat it as
 *   alive.
 * - `other`: it is another program. PostgreSQL may treat it as its own server.
 * - `ours`: it is the server of this cluster, as far as the system tells. Only Linux tells more than that it
 *   is alive.
 */
export type ProcessState = 'gone' | 'zombie' | 'other' | 'ours';

/** Reads the state letter and the program name from the text of Linux's `/proc/<pid>/stat`. */
export function parseProcStat(text: string): { readonly state: string; readonly name: string } {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  return { state: text.slice(close + 2, close + 3), name: text.slice(open + 1, close) };
}

/** Returns the state of the process `pid`, for the cluster in the directory `cluster`. */
export async function processState(pid: number, cluster: string): Promise<ProcessState> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return 'gone';
    // The server runs as the owner of the cluster, who may send it signals. Root in a container may lack this
    // right.
    if (process.geteuid?.() !== 0) return 'other';
  }
  if (process.platform !== 'linux') return 'ours';
  try {
    const { state, name } = parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (state === 'Z' || state === 'X') return 'zombie';
    if (name !== 'postgres') return 'other';
    const [here, there] = await Promise.all([stat(cluster), stat(`/proc/${pid}/cwd`)]);
    return here.dev === there.dev && here.ino === there.ino ? 'ours' : 'other';
  } catch (error) {
    // Root in a container may not read the working directory of processes of other users.
    return errorCode(error) === 'ENOENT' ? 'gone' : 'ours';
  }
}
