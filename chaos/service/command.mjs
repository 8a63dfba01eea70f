// Runs commands of the command line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './paths.mjs';

/**
 * Runs a command to its end.
 * @param options.started is told the id of its process
 * @returns { code, stdout, stderr }
 */
export async function runCommand(leftovers, env, { args, root = ROOT, started }) {
  const child = spawn(process.execPath, [join(root, 'dist/src/cli.js'), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = leftovers.add(() => child.kill('SIGKILL'));
  if (child.pid !== undefined) started?.(child.pid);
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  forget();
  return { code, stdout, stderr };
}

/** As `runCommand`. @returns what it printed @throws Error with its messages when it fails */
export async function command(leftovers, env, options) {
  const { code, stdout, stderr } = await runCommand(leftovers, env, options);
  if (code !== 0)
    throw new Error(`fairlead ${options.args.join(' ')}: exit code ${code}\n${stderr}${stdout}`);
  return stdout;
}
