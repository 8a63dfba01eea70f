import { Command } from 'commander';
import { fairleadVersion } from '../start/package.js';
import type { CommandContext } from './command-context.js';
import { table } from './table.js';

/** `dump <file>`: writes the rows of all tables to a file that `load` reads. */
export function dumpCommand(context: CommandContext): Command {
  return new Command('dump')
    .description('write the rows of all tables to a new file, for any version of PostgreSQL')
    .argument('<file>', 'the dump, which must not exist')
    .action((path: string) => dump(context, path));
}

async function dump({ settings, located, print, note }: CommandContext, file: string): Promise<void> {
  const { writeDump } = await import('../database/dump/write-dump.js');
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const path = located(file);
  const tables = await writeDump({ url, dataDir, path, fairlead: fairleadVersion(), log: note });
  const cells = tables.map((each) => [each.table, String(each.rows)]);
  print({ dump: file, tables }, table(['TABLE', 'ROWS'], cells));
}
