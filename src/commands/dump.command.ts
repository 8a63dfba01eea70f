import { Command } from 'commander';
import { dumpDatabase } from '../database/dump/dump-database.js';
import type { CommandContext } from './command-context.js';
import { fairleadVersion } from './fairlead-version.js';
import { table } from './printer.js';

/** `dump <file>`: writes the rows of all tables to a file that `load` reads. */
export function dumpCommand({ settings, print }: CommandContext): Command {
  return new Command('dump')
    .description('write the rows of all tables to a new file, for any version of PostgreSQL')
    .argument('<file>', 'the dump, which must not exist')
    .action(async (path: string) => {
      const { DATABASE_URL: url, DATA_DIR: dataDir } = settings();
      const tables = await dumpDatabase({ url, dataDir, path, fairlead: fairleadVersion() });
      const cells = tables.map((each) => [each.table, String(each.rows)]);
      print({ dump: path, tables }, table(['TABLE', 'ROWS'], cells));
    });
}
