import { Command } from 'commander';
import { DatabaseServer } from '../database/dump/database-server.js';
import { writeDump } from '../database/dump/write-dump.js';
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
      const server = await DatabaseServer.open({ url, dataDir }, { create: false });
      try {
        const tables = await server.connected((client) => writeDump(client, path, fairleadVersion()));
        const cells = tables.map((each) => [each.table, String(each.rows)]);
        print({ dump: path, tables }, table(['TABLE', 'ROWS'], cells));
      } finally {
        await server.close();
      }
    });
}
