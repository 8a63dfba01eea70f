import { mkdir, mkdtemp, readdir, realpath, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataLayout, dataLayout } from './data-layout.js';
import { withDirectoryLock } from './directory-lock.js';

describe('withDirectoryLock', () => {
  let layout: DataLayout;
  beforeEach(async () => {
    layout = dataLayout(await realpath(await mkdtemp(join(tmpdir(), 'fairlead-lock-'))));
  });
  afterEach(async () => rm(layout.root, { recursive: true, force: true }));
  const silent = { log: (): void => undefined };

  it('lets one in at a time, also after a failure, and leaves nothing behind', async () => {
    let inside = 0;
    const work = async (index: number): Promise<number> =>
      withDirectoryLock(layout, silent, async () => {
        expect((inside += 1)).toBe(1);
        await readdir(layout.root);
        inside -= 1;
        if (index === 1) throw new Error('failed');
        return index;
      });
    const results = await Promise.allSettled([0, 1, 2, 3].map(work));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await readdir(layout.root)).toEqual([]);
  });

  it('takes over the lock of a process that was killed', async () => {
    await mkdir(layout.lockFile);
    const longAgo = Date.now() / 1000 - 60;
    await utimes(layout.lockFile, longAgo, longAgo);
    expect(await withDirectoryLock(layout, silent, async () => Promise.resolve('in'))).toBe('in');
  });

  it('is not waited for any more once nobody wants it', async () => {
    const signal = AbortSignal.abort();
    const work = jest.fn();
    await withDirectoryLock(layout, silent, async () => {
      await expect(withDirectoryLock(layout, { ...silent, signal }, work)).rejects.toThrow('aborted');
    });
    expect(work).not.toHaveBeenCalled();
  });

  it('survives the loss of the lock', async () => {
    await withDirectoryLock(layout, silent, async () => rm(layout.lockFile, { recursive: true }));
  });

  it('names DATA_DIR when the lock cannot be made', async () => {
    const lockFile = join(layout.root, 'missing', 'lock');
    await expect(
      withDirectoryLock({ ...layout, lockFile }, silent, async () => Promise.resolve()),
    ).rejects.toThrow('DATA_DIR');
  });
});
