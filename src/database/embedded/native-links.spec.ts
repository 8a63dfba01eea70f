import { chmod, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeNative } from './native-links.js';

describe('completeNative', () => {
  let native: string;
  beforeEach(async () => {
    native = await mkdtemp(join(tmpdir(), 'fairlead-native-'));
    await mkdir(join(native, 'bin'));
    await mkdir(join(native, 'lib'));
    await writeFile(join(native, 'bin', 'postgres'), '', { mode: 0o644 });
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library');
    const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
      source: 'native/lib/libpq.so.5.18',
      target: `native/lib/${name}`,
    }));
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  });
  afterEach(async () => rm(native, { recursive: true, force: true }));

  const check = async (): Promise<void> => {
    expect((await readdir(join(native, 'lib'))).sort()).toEqual(['libpq.so', 'libpq.so.5', 'libpq.so.5.18']);
    expect(await readlink(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect((await stat(join(native, 'bin', 'postgres'))).mode & 0o777).toBe(0o755);
  };

  it('makes links and execution rights, many times at once', async () => {
    await Promise.all(Array.from({ length: 20 }, async () => completeNative(native)));
    await check();
  });

  it('replaces links that lead nowhere', async () => {
    await symlink('gone.so', join(native, 'lib', 'libpq.so.5'));
    await Promise.all([completeNative(native), completeNative(native)]);
    await check();
  });

  it('does not touch what is complete', async () => {
    await completeNative(native);
    await chmod(join(native, 'lib'), 0o555);
    await completeNative(native);
    await chmod(join(native, 'lib'), 0o755);
    await check();
  });

  it('manages without a list, as on Windows', async () => {
    await rm(join(native, 'pg-symlinks.json'));
    await completeNative(native);
    expect(await readdir(join(native, 'lib'))).toEqual(['libpq.so.5.18']);
  });

  it('fails when it cannot make them', async () => {
    await rm(join(native, 'lib'), { recursive: true });
    await expect(completeNative(native)).rejects.toThrow('ENOENT');
  });
});
