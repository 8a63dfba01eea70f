import { takeBackup } from '../database/backup/take-backup.js';
import { JWT_SECRET_FILE } from '../settings/jwt-secret.js';
import type { CommandContext } from './command-context.js';
import { fairleadVersion } from './fairlead-version.js';
import { requireEmbedded } from './require-embedded.js';

/** @param target the folder of the backup */
export async function backUp({ settings, located, print }: CommandContext, target: string): Promise<void> {
  const { DATA_DIR: dataDir } = requireEmbedded(await settings(), 'backup');
  const { files, start, stop, finishedAt } = await takeBackup({
    dataDir,
    target: located(target),
    fairlead: fairleadVersion(),
    kept: [JWT_SECRET_FILE],
  });
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  print({ backup: target, finished_at: finishedAt, files: files.length, bytes, start, stop }, [
    `backed up ${files.length} files, ${bytes} bytes, to ${target}`,
  ]);
}
