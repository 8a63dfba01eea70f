import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { table } from './table.js';

/** `load <file>`: loads a dump into an empty database. */
export function loadCommand(context: CommandContext): Command {
  return new Command('load')
    .description('load a dump into an empty database, all or nothing')
    .argument('<file>', 'the dump')
    .action((path: string) => load(context, path));
}

async function load({ extensions, settings, located, print }: CommandContext, file: string): Promise<void> {
  const { loadDump } = await import('../database/dump/load-dump.js');
  const { migrationsWith } = await import('../start/entities.js');
  const migrations = migrationsWith(await extensions());
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const { tables, applied, header } = await loadDump({ url, dataDir, path: located(file), migrations });
  const cells = tables.map((each) => [each.table, String(each.rows)]);
  print({ loaded: file, dumped_at: header.createdAt, tables, applied }, [
    ...table(['TABLE', 'ROWS'], cells),
    ...applied.map((name) => `applied ${name}`),
  ]);
}
