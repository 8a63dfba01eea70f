import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from '../errors.js';

/**
 * State of the process whose id is in a `postmaster.pid`:
 * - `gone`: no process has the id.
 * - `zombie`: the process ended, and its parent has not read its exit code. PostgreSQL would treat it as
 *   alive.
 * - `ours`: it is the server of this cluster.
 * - `other`: it is another program. PostgreSQL may treat it as its own server.
 * - `unknown`: it is alive, and the system does not say what it is.
 */
export type ProcessState = 'gone' | 'zombie' | 'ours' | 'other' | 'unknown';

/** Reads the state letter and the program name from the text of Linux's `/proc/<pid>/stat`. */
export function parseProcStat(text: string): { readonly state: string; readonly name: string } {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  return { state: text.slice(close + 2, close + 3), name: text.slice(open + 1, close) };
}

/**
 * Returns the state for a line `<state> <command>` of macOS' `ps -o stat=,command=`, for the server of
 * `cluster`.
 */
export function judgePs(line: string, cluster: string): ProcessState {
  const [state, ...command] = line.trim().split(' ');
  if (!state) return 'gone';
  if (state.startsWith('Z')) return 'zombie';
  const text = command.join(' ');
  return text.includes('postgres') && text.includes(`-D ${cluster} `) ? 'ours' : 'other';
}

async function linuxState(pid: number, cluster: string): Promise<ProcessState> {
  try {
    const { state, name } = parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
    if (state === 'Z' || state === 'X') return 'zombie';
    if (name !== 'postgres') return 'other';
    const [here, there] = await Promise.all([stat(cluster), stat(`/proc/${pid}/cwd`)]);
    return here.dev === there.dev && here.ino === there.ino ? 'ours' : 'other';
  } catch (error) {
    // Root in a container may not read this file for processes of other users. It could read the program
    // name.
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unknown';
  }
}

async function darwinState(pid: number, cluster: string): Promise<ProcessState> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', [
      '-ww',
      '-o',
      'stat=,command=',
      '-p',
      String(pid),
    ]);
    return judgePs(stdout, cluster);
  } catch {
    // ps fails when there is no such process.
    return 'gone';
  }
}

/** Returns the state of the process `pid`, for the cluster in the directory `cluster`. */
export async function processState(pid: number, cluster: string): Promise<ProcessState> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return 'gone';
    // The server runs as the owner of the cluster, who may send it signals. Root in a container may lack this
    // right.
    if (process.platform === 'win32' || process.geteuid?.() !== 0) return 'other';
  }
  if (process.platform === 'linux') return linuxState(pid, cluster);
  return process.platform === 'darwin' ? darwinState(pid, cluster) : 'unknown';
}
