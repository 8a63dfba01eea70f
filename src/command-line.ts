import { CommanderError } from 'commander';
import { createProgram } from './commands/create-program.js';
import type { FairleadExtension } from './extensions/index.js';
import { readSettings } from './settings/read-settings.js';

/**
 * Runs the command that the arguments of the process name, and ends the process: 0 done, 1 failed.
 * @param options.extensions those of the host, beside what the setting `EXTENSIONS` names
 */
export async function runCommandLine({
  extensions = [],
}: { readonly extensions?: readonly FairleadExtension[] } = {}): Promise<never> {
  try {
    await createProgram(readSettings, { extensions }).parseAsync();
    process.exit(process.exitCode ?? 0);
  } catch (error) {
    // Commander has already printed its own complaint, or the help that was asked for.
    if (error instanceof CommanderError) process.exit(error.exitCode);
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
