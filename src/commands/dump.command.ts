import { Command } from 'commander';
import { fairleadVersion } from '../settings/package.js';
import type { CommandContext } from './command-context.js';
import { table } from './command-output.js';

/** `dump <file>`: writes the rows of all tables to a file that `load` reads. */
export function dumpCommand(context: CommandContext): Command {
  return new Command('dump')
    .description('write the rows of all tables to a new file, for any version of PostgreSQL')
    .argument('<file>', 'the dump, which must not exist')
    .action((path: string) => dump(context, path));
}

async function dump({ settings, located, output }: CommandContext, file: string): Promise<void> {
  const { writeDump } = await import('../database/dump/write-dump.js');
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const path = located(file);
  const tables = await writeDump({
    url,
    dataDir,
    path,
    fairlead: fairleadVersion(),
    log: (line) => output.note(line),
  });
  const cells = tables.map((each) => [each.table, each.rows]);
  output.print({ dump: file, tables }, table(['TABLE', 'ROWS'], cells));
}

/** `load <file>`: loads a dump into an empty database. */
export function loadCommand(context: CommandContext): Command {
  return new Command('load')
    .description('load a dump into an empty database, all or nothing')
    .argument('<file>', 'the dump')
    .action((path: string) => load(context, path));
}

async function load({ extensions, settings, located, output }: CommandContext, file: string): Promise<void> {
  const { loadDump } = await import('../database/dump/load-dump.js');
  const { migrationsWith } = await import('../start/entities.js');
  const migrations = migrationsWith(await extensions());
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const { tables, applied, header } = await loadDump({ url, dataDir, path: located(file), migrations });
  const cells = tables.map((each) => [each.table, each.rows]);
  output.print({ loaded: file, dumped_at: header.createdAt, tables, applied }, [
    ...table(['TABLE', 'ROWS'], cells),
    ...applied.map((name) => `applied ${name}`),
  ]);
}
