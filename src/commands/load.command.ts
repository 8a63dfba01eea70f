import { Command } from 'commander';
import { loadDatabase } from '../database/dump/load-database.js';
import { migrationsWith } from '../entities.js';
import type { CommandContext } from './command-context.js';
import { table } from './printer.js';

/** `load <file>`: loads a dump into an empty database. */
export function loadCommand({ settings, print, ...context }: CommandContext): Command {
  return new Command('load')
    .description('load a dump into an empty database, all or nothing')
    .argument('<file>', 'the dump')
    .action(async (path: string) => {
      const migrations = migrationsWith(await context.extensions());
      const { DATABASE_URL: url, DATA_DIR: dataDir } = settings();
      const { tables, applied, header } = await loadDatabase({ url, dataDir, path, migrations });
      const cells = tables.map((each) => [each.table, String(each.rows)]);
      print({ loaded: path, dumped_at: header.createdAt, tables, applied }, [
        ...table(['TABLE', 'ROWS'], cells),
        ...applied.map((name) => `applied ${name}`),
      ]);
    });
}
