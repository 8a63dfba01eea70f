import type { FairleadExtension } from '../extensions/index.js';
import type { CommandProcess } from './command-context.js';
import { CommandOutput } from './command-output.js';
import { createProgram } from './create-program.js';

/**
 * Runs a command to its end.
 * @param args those behind the name of the program
 * @param options.extensions those of the host
 * @returns the exit code: 0 for success, 1 for failure, others in exit-codes.ts
 */
export async function runCommand(
  args: readonly string[],
  { extensions = [], ...process }: CommandProcess & { readonly extensions?: readonly FairleadExtension[] },
): Promise<number> {
  const output = new CommandOutput(process.stdout, process.stderr);
  try {
    await createProgram(process, { extensions, output }).parseAsync(args, { from: 'user' });
    return output.exitCode;
  } catch (error) {
    return output.fail(error);
  } finally {
    await output.drain();
  }
}
