import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from './make-directory.js';

describe('makeDirectory', () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'fairlead-mkdir-'));
  });
  afterEach(async () => rm(base, { recursive: true, force: true }));

  it('makes all parents, for several callers at once', async () => {
    const path = join(base, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 10 }, async () => makeDirectory(path)));
    await makeDirectory(path);
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('fails where a file is in the way', async () => {
    await writeFile(join(base, 'file'), '');
    await expect(makeDirectory(join(base, 'file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeDirectory(join(base, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('comes to an end below a link that leads nowhere, and in /proc', async () => {
    await symlink(join(base, 'missing', 'disk'), join(base, 'link'));
    await expect(makeDirectory(join(base, 'link', 'data'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeDirectory('/proc/fairlead/data')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
