import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File in `DATA_DIR`: a command has made the embedded database, and no server has used it yet. */
const UNSERVED_FILE = 'unserved';

/** Notes that a command has made the embedded database of a data directory. */
export async function noteUnserved(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, UNSERVED_FILE), '', { mode: 0o600 });
}

/** Whether no server has used the embedded database that a command has made. One server learns it, once. */
export async function takeUnserved(dataDir: string): Promise<boolean> {
  return rm(join(dataDir, UNSERVED_FILE)).then(
    () => true,
    () => false,
  );
}
