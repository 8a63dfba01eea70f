import { Command, InvalidArgumentError, Option } from 'commander';
import { OBJECT_TYPES } from '../fields/object-type.js';
import type { CommandContext } from './command-context.js';
import type { ImportFlags } from './import.action.js';

/** `import`: creates and updates records from a file, each found by a key. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .description('write records from a file; running it again changes nothing')
    .requiredOption('--account <slug>', 'the account')
    .addOption(new Option('--type <type>', 'the object type').choices(OBJECT_TYPES).makeOptionMandatory())
    .requiredOption('--file <file>', 'x.csv or x.ndjson (a record a line); - for standard input')
    .requiredOption('--key <field>', 'the unique key by which records are found, such as external_id, or id')
    .addOption(
      new Option('--format <format>', 'where the name of the file does not say it').choices([
        'csv',
        'ndjson',
      ]),
    )
    .option(
      '--map <column=field>',
      'a column that has another name than its field; "column=" ignores it; may be repeated',
      readMap,
    )
    .option('--clear-empty', 'an empty cell of a CSV file clears the field, which stays as it is otherwise')
    .option('--router <name>', 'a router to run on each record, once')
    .option('--rejects <file>', 'where to write the rows that are refused, with the reasons')
    .option('--dry-run', 'write no records; print what would be done')
    .action(async (flags: ImportFlags) => {
      const { importRecords } = await import('./import.action.js');
      await importRecords(context, flags);
    });
}

/** The last `=` divides: headings may have one, fields never do. */
function readMap(text: string, map = new Map<string, string>()): Map<string, string> {
  const at = text.lastIndexOf('=');
  if (at <= 0) throw new InvalidArgumentError('It must be column=field, or column= to ignore the column.');
  const column = text.slice(0, at).trim();
  if (map.has(column)) throw new InvalidArgumentError(`The column ${column} is mapped twice.`);
  return new Map(map).set(column, text.slice(at + 1).trim());
}
