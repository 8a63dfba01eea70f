import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifPresent } from '../if-present.js';
import type { BackupFile } from './backup-manifest.js';
import { copyFile } from './copy-file.js';
import { flushFiles } from './flush-files.js';

/** The files of a backup while it is made, and the list of them. Paths have slashes on every system. */
export class BackupFolder {
  readonly files: BackupFile[] = [];
  readonly directories: string[] = [];

  constructor(private readonly root: string) {}

  async directory(path: string): Promise<void> {
    await mkdir(join(this.root, path), { mode: 0o700 });
    this.directories.push(path);
  }

  /** Copies a file. Does nothing when it does not exist. */
  async file(path: string, source: string): Promise<void> {
    const copied = await ifPresent(copyFile(source, join(this.root, path)));
    if (copied) this.files.push({ path, ...copied });
  }

  /** Copies a file. @throws a system error when it does not exist */
  async needed(path: string, source: string): Promise<void> {
    this.files.push({ path, ...(await copyFile(source, join(this.root, path))) });
  }

  /** Writes a new file. */
  async content(path: string, content: Buffer): Promise<void> {
    await writeFile(join(this.root, path), content, { mode: 0o600, flag: 'wx' });
    const sha256 = createHash('sha256').update(content).digest('hex');
    this.files.push({ path, size: content.length, sha256 });
  }

  /** Flushes everything to the disk. */
  async flush(): Promise<void> {
    await flushFiles(
      this.root,
      this.files.map(({ path }) => path),
      this.directories,
    );
  }
}
