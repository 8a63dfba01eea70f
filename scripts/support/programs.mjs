// Starts programs in a temporary folder, which is removed with all of them when the process ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LONGEST = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'fairlead-check-'));
const children = new Set();
chmodSync(folder, 0o755);

/** A new folder inside of the temporary one, which other users can read. */
export function newFolder(name) {
  const made = mkdtempSync(join(folder, `${name}-`));
  chmodSync(made, 0o755);
  return made;
}

const SETTINGS = new URL('../../.env.example', import.meta.url);

/** The environment without settings of the service, and without what `npm run` tells its children about this project. */
function environment() {
  const settings = [...readFileSync(SETTINGS, 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
  const isOther = ([name]) =>
    !settings.includes(name) && !/^(npm_(package|lifecycle|config_local)_|OTEL_|NODE_ENV$)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOther));
}

/**
 * Starts a program with the environment of this one, but for settings, and with what is given.
 * @returns its process, and all that it has printed so far
 */
export function run(command, args, { cwd = folder, env = {}, ...options } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...environment(), ...env },
    timeout: LONGEST,
    ...options,
  });
  children.add(child);
  const program = { child, output: '', stdout: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (program.stdout += text));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (program.output += text));
  child.on('error', (error) => (program.output += error.message));
  child.on('exit', () => children.delete(child));
  return program;
}

/** Runs a program to its end. @returns its standard output @throws all that it printed, unless it ends with 0 */
export async function expectSuccess(command, args, options) {
  const program = run(command, args, options);
  const [code] = await once(program.child, 'close');
  if (code !== 0) throw new Error(`exit code ${code}:\n${program.output}`);
  return program.stdout;
}

/** Waits for a pattern in what a program prints. @throws what it printed, where it ends before */
export async function printed(program, pattern) {
  for (let waited = 0; waited < LONGEST; waited += 50) {
    const match = pattern.exec(program.output);
    if (match !== null) return match;
    if (hasEnded(program.child)) break;
    await delay(50);
  }
  throw new Error(`It did not print ${pattern}:\n${program.output}`);
}

/** Stops a server. @throws unless it ends with 0 */
export async function stop({ child, output }) {
  const closed = hasEnded(child) || once(child, 'close');
  child.kill('SIGTERM');
  await closed;
  if (child.exitCode !== 0) throw new Error(`It stopped with ${child.exitCode}:\n${output}`);
}

const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;

/** Ends what still runs, databases that have outlived their service included, and removes the folder. */
function clean() {
  for (const { pid } of children) {
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, 'SIGKILL');
      } catch {
        // It has ended, or leads no group.
      }
    }
  }
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  for (const file of files.filter((name) => basename(name) === 'postmaster.pid')) {
    const [pid] = readFileSync(join(folder, file), 'utf8').split('\n');
    try {
      process.kill(Number(pid), 'SIGQUIT');
    } catch {
      // It has ended.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

process.on('exit', clean);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
