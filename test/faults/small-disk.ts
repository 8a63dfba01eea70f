import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, rmdirSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEBIBYTE = Buffer.alloc(1024 * 1024);

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** A file system of its own in memory, which can be filled up. Only root can make one. */
export class SmallDisk {
  private constructor(readonly path: string) {}

  /** Returns a disk of that many MiB; undefined where this user may not mount one. */
  static mount(size: number): SmallDisk | undefined {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-disk-')));
    if (runs('mount', ['-t', 'tmpfs', '-o', `size=${size}m,mode=755`, 'fairlead', path])) {
      return new SmallDisk(path);
    }
    rmdirSync(path);
    return undefined;
  }

  /** Takes all the space that is left. */
  fill(): void {
    const file = openSync(join(this.path, 'ballast'), 'a');
    try {
      for (let size = MEBIBYTE.length; size > 0; size = Math.floor(size / 2)) {
        while (this.took(file, size));
      }
    } finally {
      closeSync(file);
    }
  }

  /** Gives back what `fill` took. */
  free(): void {
    rmSync(join(this.path, 'ballast'), { force: true });
  }

  unmount(): void {
    runs('umount', ['--lazy', this.path]);
    rmdirSync(this.path);
  }

  private took(file: number, size: number): boolean {
    try {
      return writeSync(file, MEBIBYTE, 0, size) === size;
    } catch {
      return false;
    }
  }
}
