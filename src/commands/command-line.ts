import { Command } from 'commander';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { FairleadExtension } from '../extensions/index.js';
import { accountCommand } from './account.command.js';
import { applyCommand } from './apply.command.js';
import { checkCommand } from './check.command.js';
import { clientCommand } from './client.command.js';
import type { CommandContext, CommandProcess } from './command-context.js';
import { CommandOutput } from './command-output.js';
import { consoleCommand } from './console.command.js';
import { dumpCommand, loadCommand } from './dump.command.js';
import { exportCommand } from './export.command.js';
import { fairleadVersion } from '../settings/package.js';
import { importCommand } from './import.command.js';
import { migrateCommand } from './migrate.command.js';
import { recordsCommand } from './records.command.js';
import { simulateCommand } from './simulate.command.js';
import { startCommand } from './start.command.js';

/**
 * Runs the command in the arguments of the process, and ends the process with the exit code of the command:
 * 0 for success, 1 for failure, others in command-output.ts.
 * @param options.extensions those of the host, in addition to those in the setting `EXTENSIONS`
 */
export async function runCommandLine({
  extensions = [],
}: { readonly extensions?: readonly FairleadExtension[] } = {}): Promise<never> {
  const { stdout, stderr } = process;
  const stdin = (): typeof process.stdin => process.stdin;
  const settings = async (): ReturnType<CommandProcess['settings']> => {
    const { readSettings } = await import('../settings/settings.js');
    return readSettings();
  };
  process.exit(await runCommand(process.argv.slice(2), { settings, stdin, stdout, stderr, extensions }));
}

/**
 * Runs a command to its end.
 * @param args those behind the name of the program
 * @param options.extensions those of the host
 * @returns the exit code: 0 for success, 1 for failure, others in command-output.ts
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

/**
 * Creates the admin's command line (contract section 5). A command loads what it runs when it runs, so that
 * `--help` loads neither the service nor its libraries, and works in any environment.
 */
export function createProgram(
  { settings, stdin, cwd }: Pick<CommandProcess, 'settings' | 'stdin' | 'cwd'>,
  { extensions: given, output }: Pick<CommandContext, 'output'> & { extensions: CommandContext['given'] },
): Command {
  const context: CommandContext = {
    ...{ settings, stdin, given, output },
    extensions: async () => {
      const { loadExtensions } = await import('../extensions/load-extensions.js');
      return loadExtensions((await settings()).EXTENSIONS, given);
    },
    located: (path) => (cwd === undefined ? path : resolve(cwd, path)),
  };
  const program = new Command('fairlead')
    .description('Runs and administers a Fairlead installation')
    .version(fairleadVersion(), '--version', 'print the version')
    // `simulate` has a --version of its own.
    .enablePositionalOptions();
  for (const command of COMMANDS) program.addCommand(command(context));
  prepare(program, output);
  return program;
}

const COMMANDS = [
  ...[startCommand, migrateCommand, applyCommand, exportCommand, accountCommand, clientCommand],
  ...[consoleCommand, simulateCommand, importCommand, recordsCommand, checkCommand, dumpCommand, loadCommand],
];

/** Has a command, and those below it, print to an output and end nothing but itself. */
function prepare(command: Command, output: CommandOutput): void {
  const { stdout, stderr } = output;
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  });
  // It is accepted before and after the name of the command, and noted before anything can fail.
  command.option('--json', 'print one JSON document on standard output, also when the command fails');
  command.on('option:json', () => (output.json = true));
  for (const below of command.commands) prepare(below, output);
}

/** Returns the columns of a terminal, and 80 for any other stream. */
const widthOf = (stream: Writable & { readonly columns?: number }): number => stream.columns ?? 80;
