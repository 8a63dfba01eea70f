import { upgradeDatabase } from '../database/major/upgrade-database.js';
import { migrationsWith } from '../entities.js';
import type { CommandContext } from './command-context.js';
import { fairleadVersion } from './fairlead-version.js';
import { requireEmbedded } from './require-embedded.js';

/** @param oldBinaries the folder of the programs of the PostgreSQL that made the database */
export async function upgrade(
  { settings, located, print, note, ...context }: CommandContext,
  oldBinaries: string,
): Promise<void> {
  const { DATA_DIR: dataDir } = requireEmbedded(await settings(), 'upgrade');
  const result = await upgradeDatabase({
    dataDir,
    oldBinaries: located(oldBinaries),
    migrations: migrationsWith(await context.extensions()),
    fairlead: fairleadVersion(),
    log: note,
  });
  const { from, to, kept } = result;
  print(
    result,
    kept === null
      ? [`the database is one of PostgreSQL ${to} already`]
      : [`moved the database from PostgreSQL ${from} to ${to}; the former one is in ${kept}`],
  );
}
