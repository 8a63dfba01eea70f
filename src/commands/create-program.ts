import { Command } from 'commander';
import type { FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';
import { accountCommand } from './account.command.js';
import { applyCommand } from './apply.command.js';
import { assignmentsCommand } from './assignments.command.js';
import { backupCommand } from './backup.command.js';
import { checkCommand } from './check.command.js';
import { clientCommand } from './client.command.js';
import type { CommandContext } from './command-context.js';
import type { CommandOutput } from './command-output.js';
import { dumpCommand } from './dump.command.js';
import { exportCommand } from './export.command.js';
import { fairleadVersion } from './fairlead-version.js';
import { importCommand } from './import.command.js';
import { loadCommand } from './load.command.js';
import { migrateCommand } from './migrate.command.js';
import { recordsCommand } from './records.command.js';
import { restoreCommand } from './restore.command.js';
import { simulateCommand } from './simulate.command.js';
import { startCommand } from './start.command.js';
import { upgradeCommand } from './upgrade.command.js';

/** What a host adds to the command line, and what commands print. */
export interface ProgramOptions {
  readonly extensions: readonly FairleadExtension[];
  readonly output: CommandOutput;
}

/**
 * Creates the admin's command line (contract section 5). A command is defined in `x.command.ts`, and loads
 * what it runs from `x.action.ts` when it runs, so that `--help` loads neither the service nor its libraries.
 * @param readSettings called when a command runs, so that `--help` works in any environment
 */
export function createProgram(
  readSettings: () => Promise<Settings>,
  { extensions, output }: ProgramOptions,
): Command {
  const program = new Command('fairlead')
    .description('Runs and administers a Fairlead installation')
    .version(fairleadVersion(), '--version', 'print the version')
    // `simulate` has a --version of its own.
    .enablePositionalOptions()
    .exitOverride();
  const context: CommandContext = {
    settings: readSettings,
    given: extensions,
    extensions: async () => {
      const { loadExtensions } = await import('../extensions/load-extensions.js');
      return loadExtensions((await readSettings()).EXTENSIONS, extensions);
    },
    print: (document, lines) => output.print(document, lines),
    write: (text) => output.write(text),
    isJson: () => output.json,
  };
  addJson(program, output);
  for (const command of [
    startCommand,
    migrateCommand,
    applyCommand,
    exportCommand,
    accountCommand,
    clientCommand,
    simulateCommand,
    importCommand,
    recordsCommand,
    assignmentsCommand,
    checkCommand,
    backupCommand,
    restoreCommand,
    dumpCommand,
    loadCommand,
    upgradeCommand,
  ]) {
    program.addCommand(command(context));
  }
  const visit = (command: Command): void => {
    command.exitOverride();
    addJson(command, output);
    command.commands.forEach(visit);
  };
  program.commands.forEach(visit);
  return program;
}

/** Accepts `--json` before and after the command's name, and notes it before anything can fail. */
function addJson(command: Command, output: CommandOutput): void {
  command.option('--json', 'print one JSON document on standard output, also when the command fails');
  command.on('option:json', () => (output.json = true));
}
