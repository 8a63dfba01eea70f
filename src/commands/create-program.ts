import { Command } from 'commander';
import { loadExtensions, type FairleadExtension } from '../extensions/index.js';
import type { Settings } from '../settings/settings.js';
import { accountCommand } from './account.command.js';
import { applyCommand } from './apply.command.js';
import { backupCommand } from './backup.command.js';
import { checkCommand } from './check.command.js';
import { clientCommand } from './client.command.js';
import type { CommandContext } from './command-context.js';
import { dumpCommand } from './dump.command.js';
import { exportCommand } from './export.command.js';
import { loadCommand } from './load.command.js';
import { migrateCommand } from './migrate.command.js';
import { printer } from './printer.js';
import { restoreCommand } from './restore.command.js';
import { simulateCommand } from './simulate.command.js';
import { upgradeCommand } from './upgrade.command.js';

/**
 * Creates the admin's command line (contract section 5).
 * @param readSettings called when a command runs, so that `--help` works in any environment
 */
export function createProgram(
  readSettings: () => Settings,
  { extensions = [] }: { readonly extensions?: readonly FairleadExtension[] } = {},
): Command {
  const program = new Command('fairlead').description('Administers a Fairlead installation').exitOverride();
  const context: CommandContext = {
    settings: readSettings,
    extensions: () => loadExtensions(readSettings().EXTENSIONS, extensions),
    print: (json, lines) => printer(program.opts<{ json?: boolean }>().json === true)(json, lines),
  };
  program.option('--json', 'print one JSON document on standard output');
  for (const command of [
    migrateCommand,
    applyCommand,
    exportCommand,
    accountCommand,
    clientCommand,
    simulateCommand,
    checkCommand,
    backupCommand,
    restoreCommand,
    dumpCommand,
    loadCommand,
    upgradeCommand,
  ]) {
    program.addCommand(command(context));
  }
  return inherit(program);
}

/** Accepts `--json` before and after the command's name. */
function inherit(program: Command): Command {
  const visit = (command: Command): void => {
    command.exitOverride();
    if (command.commands.length === 0) {
      command.option('--json', 'print one JSON document on standard output');
      command.hook('preAction', (_, action) => {
        if (action.opts<{ json?: boolean }>().json === true) program.setOptionValue('json', true);
      });
    }
    command.commands.forEach(visit);
  };
  program.commands.forEach(visit);
  return program;
}
