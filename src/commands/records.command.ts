import { Command, InvalidArgumentError, Option } from 'commander';
import { OBJECT_TYPES, type ObjectType } from '../fields/object-type.js';
import type { CommandContext } from './command-context.js';
import { findImporter, withServices } from './with-services.js';

interface RecordsExportFlags {
  readonly account: string;
  readonly type: ObjectType;
  readonly format?: 'csv' | 'ndjson';
  readonly for?: 'spreadsheet';
  readonly filter?: unknown;
  readonly archived?: boolean;
}

/** `records export`: prints the records of a type. */
export function recordsCommand(context: CommandContext): Command {
  const exported = new Command('export')
    .description('print the records of a type with all their fields, as a file that import accepts')
    .requiredOption('--account <slug>', 'the account')
    .addOption(new Option('--type <type>', 'the object type').choices(OBJECT_TYPES).makeOptionMandatory())
    .addOption(new Option('--format <format>', 'ndjson unless given').choices(['ndjson', 'csv']))
    .addOption(
      new Option('--for <program>', 'CSV in which a spreadsheet takes no text for a formula').choices([
        'spreadsheet',
      ]),
    )
    .option(
      '--filter <json>',
      'a trigger: {"groups": [{"conditions": [{"field", "operator", "value"}]}]}',
      readJson,
    )
    .option('--archived', 'archived records too')
    .action((flags: RecordsExportFlags) => exportRecords(context, flags));
  return new Command('records').description('records of an account').addCommand(exported);
}

/** Prints until all is printed, or nobody reads any more. */
async function exportRecords(context: CommandContext, flags: RecordsExportFlags): Promise<void> {
  const { account, type: objectType, format, for: program, filter, archived = false } = flags;
  const { json } = context.output;
  if (program !== undefined && (json || format === 'ndjson')) throw new Error(`--for ${program} is for CSV`);
  const { RecordExporter } = await import('../transfer/index.js');
  await withServices(context, async (services) => {
    const client = await findImporter(services, account);
    const exporter = services.get(RecordExporter, { strict: false });
    const request = {
      objectType,
      format: json ? ('json' as const) : (program ?? format ?? 'ndjson'),
      filter,
      archived,
    };
    for await (const text of exporter.export(client, request)) {
      if (!(await context.output.write(text))) return;
    }
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}
