// Starts and stops the processes of a benchmark.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts a program. Resolves with its process and address once it prints a line of JSON with an `address`.
 */
export async function startServer(script, env) {
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} ended with code ${code} before it listened`);
  });
  const address = await Promise.race([addressIn(child.stdout), exited]);
  exited.catch(() => undefined);
  return { child, address };
}

/** Reads what a server prints until it says its address. @returns undefined where it ends before */
export async function addressIn(stdout) {
  for await (const line of createInterface({ input: stdout })) {
    const address = line.startsWith('{') ? JSON.parse(line).address : undefined;
    if (address === undefined) continue;
    // A pipe that nobody reads would stop the process.
    stdout.resume();
    return address;
  }
  return undefined;
}

export async function stopServer({ child }) {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGINT');
  await gone;
}
