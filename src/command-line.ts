import { CommandOutput } from './commands/command-output.js';
import { createProgram } from './commands/create-program.js';
import type { FairleadExtension } from './extensions/index.js';
import type { Settings } from './settings/settings.js';

/**
 * Runs the command in the arguments of the process, and ends the process with the exit code of the command:
 * 0 for success, 1 for failure, others in exit-codes.ts.
 * @param options.extensions those of the host, in addition to those in the setting `EXTENSIONS`
 */
export async function runCommandLine({
  extensions = [],
}: { readonly extensions?: readonly FairleadExtension[] } = {}): Promise<never> {
  const output = new CommandOutput();
  try {
    await createProgram(readSettings, { extensions, output }).parseAsync();
    await output.drain();
    process.exit(process.exitCode ?? 0);
  } catch (error) {
    const code = output.fail(error);
    await output.drain();
    process.exit(code);
  }
}

async function readSettings(): Promise<Settings> {
  const settings = await import('./settings/read-settings.js');
  return settings.readSettings();
}
