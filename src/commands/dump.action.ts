import { writeDump } from '../database/dump/write-dump.js';
import type { CommandContext } from './command-context.js';
import { fairleadVersion } from '../start/package.js';
import { table } from './printer.js';

/** @param path of the dump */
export async function dump({ settings, located, print, note }: CommandContext, path: string): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR: dataDir } = await settings();
  const tables = await writeDump({
    url,
    dataDir,
    path: located(path),
    fairlead: fairleadVersion(),
    log: note,
  });
  const cells = tables.map((each) => [each.table, String(each.rows)]);
  print({ dump: path, tables }, table(['TABLE', 'ROWS'], cells));
}
