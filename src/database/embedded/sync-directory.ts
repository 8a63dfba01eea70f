import { open } from 'node:fs/promises';

/** Flushes the names in a directory to the disk. Does nothing on Windows, which has no such call. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
