import { runCommand } from './run-command.js';
import type { FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';

/**
 * Runs the command in the arguments of the process, and ends the process with the exit code of the command:
 * 0 for success, 1 for failure, others in exit-codes.ts.
 * @param options.extensions those of the host, in addition to those in the setting `EXTENSIONS`
 */
export async function runCommandLine({
  extensions = [],
}: { readonly extensions?: readonly FairleadExtension[] } = {}): Promise<never> {
  const { stdout, stderr } = process;
  const stdin = (): typeof process.stdin => process.stdin;
  process.exit(
    await runCommand(process.argv.slice(2), { settings: readSettings, stdin, stdout, stderr, extensions }),
  );
}

async function readSettings(): Promise<Settings> {
  const settings = await import('../settings/read-settings.js');
  return settings.readSettings();
}
