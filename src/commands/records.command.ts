import { Command, InvalidArgumentError, Option } from 'commander';
import { OBJECT_TYPES } from '../fields/object-type.js';
import type { CommandContext } from './command-context.js';
import type { RecordsExportFlags } from './records-export.action.js';

/** `records export`: prints the records of a type. */
export function recordsCommand(context: CommandContext): Command {
  const exported = new Command('export')
    .description('print the records of a type with all their fields, as a file that import accepts')
    .requiredOption('--account <slug>', 'the account')
    .addOption(new Option('--type <type>', 'the object type').choices(OBJECT_TYPES).makeOptionMandatory())
    .addOption(new Option('--format <format>').choices(['ndjson', 'csv']).default('ndjson'))
    .option(
      '--filter <json>',
      'a trigger: {"groups": [{"conditions": [{"field", "operator", "value"}]}]}',
      readJson,
    )
    .option('--archived', 'archived records too')
    .action(async (flags: RecordsExportFlags) => {
      const { exportRecords } = await import('./records-export.action.js');
      await exportRecords(context, flags);
    });
  return new Command('records').description('records of an account').addCommand(exported);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}
