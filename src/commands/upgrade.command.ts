import { Command } from 'commander';
import { upgradeDatabase } from '../database/major/upgrade-database.js';
import { migrationsWith } from '../entities.js';
import type { CommandContext } from './command-context.js';
import { fairleadVersion } from './fairlead-version.js';
import { requireEmbedded } from './require-embedded.js';

/** `upgrade --old-binaries <folder>`: moves the embedded database to the PostgreSQL of this version. */
export function upgradeCommand({ settings, print, ...context }: CommandContext): Command {
  return new Command('upgrade')
    .description('move the embedded database to the major version of PostgreSQL that this version brings')
    .requiredOption('--old-binaries <folder>', 'the programs of the PostgreSQL that made the database')
    .action(async ({ oldBinaries }: { oldBinaries: string }) => {
      const { DATA_DIR: dataDir } = requireEmbedded(settings(), 'upgrade');
      const result = await upgradeDatabase({
        dataDir,
        oldBinaries,
        migrations: migrationsWith(await context.extensions()),
        fairlead: fairleadVersion(),
        log: (message) => console.error(message),
      });
      const { from, to, kept } = result;
      print(
        result,
        kept === null
          ? [`the database is one of PostgreSQL ${to} already`]
          : [`moved the database from PostgreSQL ${from} to ${to}; the former one is in ${kept}`],
      );
    });
}
