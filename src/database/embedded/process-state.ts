import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from './error-code.js';

/**
 * What is known of a process id from a `postmaster.pid`:
 * - `gone`: no process has it.
 * - `zombie`: it ended, and its parent has not taken note; PostgreSQL would take it for alive.
 * - `ours`: it is the server of the cluster in question.
 * - `other`: it is some other program's by now; PostgreSQL may take it for its own.
 * - `unknown`: it is alive, and the system does not tell what it is.
 */
export type ProcessState = 'gone' | 'zombie' | 'ours' | 'other' | 'unknown';

/** The state letter and the program name in the text of Linux's `/proc/<pid>/stat`. */
export function parseProcStat(text: string): { readonly state: string; readonly name: string } {
  const [open, close] = [text.indexOf('('), text.lastIndexOf(')')];
  return { state: text.slice(close + 2, close + 3), name: text.slice(open + 1, close) };
}

/** Judges a line `<state> <command>` of macOS' `ps -o stat=,command=` for the server of `cluster`. */
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
    // Root in a container may not look at other users' processes; the name of the program it could see.
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

/** Finds out what `pid` is, for the cluster in the directory `cluster`. */
export async function processState(pid: number, cluster: string): Promise<ProcessState> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return 'gone';
    // A cluster's server runs as the cluster's owner, who may signal it. (Root in a container may lack that right.)
    if (process.platform === 'win32' || process.geteuid?.() !== 0) return 'other';
  }
  if (process.platform === 'linux') return linuxState(pid, cluster);
  return process.platform === 'darwin' ? darwinState(pid, cluster) : 'unknown';
}
