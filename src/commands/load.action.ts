import { loadDump } from '../database/dump/load-dump.js';
import { migrationsWith } from '../start/entities.js';
import type { CommandContext } from './command-context.js';
import { table } from './printer.js';

/** @param path of the dump */
export async function load(
  { settings, located, print, ...context }: CommandContext,
  path: string,
): Promise<void> {
  const migrations = migrationsWith(await context.extensions());
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const { tables, applied, header } = await loadDump({ url, dataDir, path: located(path), migrations });
  const cells = tables.map((each) => [each.table, String(each.rows)]);
  print({ loaded: path, dumped_at: header.createdAt, tables, applied }, [
    ...table(['TABLE', 'ROWS'], cells),
    ...applied.map((name) => `applied ${name}`),
  ]);
}
