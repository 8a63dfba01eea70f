import { Command } from 'commander';
import { takeBackup } from '../database/backup/take-backup.js';
import { JWT_SECRET_FILE } from '../settings/jwt-secret.js';
import type { CommandContext } from './command-context.js';
import { fairleadVersion } from './fairlead-version.js';
import { requireEmbedded } from './require-embedded.js';

/** `backup <folder>`: copies the embedded database, also while the service runs. */
export function backupCommand({ settings, print }: CommandContext): Command {
  return new Command('backup')
    .description('copy the embedded database to a new folder, also while the service runs')
    .argument('<folder>', 'the backup, which must not exist')
    .action(async (target: string) => {
      const { DATA_DIR: dataDir } = requireEmbedded(settings(), 'backup');
      const { files, start, stop, finishedAt } = await takeBackup({
        dataDir,
        target,
        fairlead: fairleadVersion(),
        kept: [JWT_SECRET_FILE],
      });
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      print({ backup: target, finished_at: finishedAt, files: files.length, bytes, start, stop }, [
        `backed up ${files.length} files, ${bytes} bytes, to ${target}`,
      ]);
    });
}
