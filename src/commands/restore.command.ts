import { Command } from 'commander';
import { restoreBackup } from '../database/backup/restore-backup.js';
import type { CommandContext } from './command-context.js';
import { requireEmbedded } from './require-embedded.js';

/** `restore <folder>`: verifies a backup and makes the embedded database from it. */
export function restoreCommand({ settings, print }: CommandContext): Command {
  return new Command('restore')
    .description('verify a backup and restore it into DATA_DIR, which must be empty')
    .argument('<folder>', 'the backup')
    .action(async (backup: string) => {
      const { DATA_DIR: dataDir } = requireEmbedded(settings(), 'restore');
      const { finishedAt, files } = await restoreBackup({
        backup,
        dataDir,
        log: (message) => console.error(message),
      });
      print({ restored: backup, data_dir: dataDir, finished_at: finishedAt, files: files.length }, [
        `restored ${files.length} files to ${dataDir}, as of ${finishedAt}; the database is sound`,
      ]);
    });
}
