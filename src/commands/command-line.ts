import type { FairleadExtension } from '../extensions/index.js';
import type { CommandProcess } from './command-context.js';
import { CommandOutput } from './command-output.js';
import { createProgram } from './create-program.js';

/**
 * Runs the command in the arguments of the process, and ends the process with the exit code of the command:
 * 0 for success, 1 for failure, others in command-context.ts.
 * @param options.extensions those of the host, in addition to those in the setting `EXTENSIONS`
 */
export async function runCommandLine({
  extensions = [],
}: { readonly extensions?: readonly FairleadExtension[] } = {}): Promise<never> {
  const { stdout, stderr } = process;
  const stdin = (): typeof process.stdin => process.stdin;
  const settings = async (): ReturnType<CommandProcess['settings']> => {
    const { readSettings } = await import('../settings/read-settings.js');
    return readSettings();
  };
  process.exit(await runCommand(process.argv.slice(2), { settings, stdin, stdout, stderr, extensions }));
}

/**
 * Runs a command to its end.
 * @param args those behind the name of the program
 * @param options.extensions those of the host
 * @returns the exit code: 0 for success, 1 for failure, others in command-context.ts
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
