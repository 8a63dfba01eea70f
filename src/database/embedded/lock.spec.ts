import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './server.js';

describe('a lock', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-lock-'));
    path = join(folder, 'lock');
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('lets one in at a time, also after a failure, and leaves nothing behind', async () => {
    let inside = 0;
    const work = async (index: number): Promise<number> =>
      withLock(path, {}, async () => {
        expect((inside += 1)).toBe(1);
        await readdir(folder);
        inside -= 1;
        if (index === 1) throw new Error('failed');
        return index;
      });
    const results = await Promise.allSettled([0, 1, 2, 3].map(work));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a process that was killed is taken over', async () => {
    await mkdir(path);
    const longAgo = Date.now() / 1000 - 60;
    await utimes(path, longAgo, longAgo);
    expect(await withLock(path, {}, async () => Promise.resolve('in'))).toBe('in');
  });

  it('is not waited for any more once nobody wants it', async () => {
    const work = jest.fn();
    await withLock(path, {}, async () => {
      await expect(withLock(path, { signal: AbortSignal.abort() }, work)).rejects.toThrow('aborted');
    });
    expect(work).not.toHaveBeenCalled();
  });

  it('may be lost meanwhile', async () => {
    await withLock(path, {}, async () => rm(path, { recursive: true }));
  });

  it('is named when it cannot be made', async () => {
    const missing = join(folder, 'missing', 'lock');
    const work = withLock(missing, {}, async () => Promise.resolve());
    await expect(work).rejects.toThrow(`The lock ${missing} cannot be made: ENOENT`);
  });
});
