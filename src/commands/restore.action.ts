import { restoreBackup } from '../database/backup/restore-backup.js';
import type { CommandContext } from './command-context.js';
import { requireEmbedded } from './require-embedded.js';

/** @param backup its folder */
export async function restore(
  { settings, located, print, note }: CommandContext,
  backup: string,
): Promise<void> {
  const { DATA_DIR: dataDir } = requireEmbedded(await settings(), 'restore');
  const { finishedAt, files } = await restoreBackup({
    backup: located(backup),
    dataDir,
    log: note,
  });
  print({ restored: backup, data_dir: dataDir, finished_at: finishedAt, files: files.length }, [
    `restored ${files.length} files to ${dataDir}, as of ${finishedAt}; the database is sound`,
  ]);
}
