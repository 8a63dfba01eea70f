import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeNative, copyNative } from './binaries.js';

describe('the programs of a package', () => {
  let base: string;
  let native: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'fairlead-native-')));
    native = join(base, 'package', 'native');
    await mkdir(join(native, 'bin'), { recursive: true, mode: 0o700 });
    await mkdir(join(native, 'lib'), { mode: 0o700 });
    await mkdir(join(native, 'share', 'timezone'), { recursive: true, mode: 0o700 });
    await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o600 });
    await writeFile(join(native, 'lib', 'libpq.so.5'), 'library', { mode: 0o600 });
    await writeFile(join(native, 'lib', 'libpq.a'), 'static');
    await writeFile(join(native, 'share', 'timezone', 'UTC'), 'zone', { mode: 0o600 });
    const links = [{ source: 'native/lib/libpq.so.5', target: 'native/lib/libpq.so' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  });
  afterEach(async () => rm(base, { recursive: true, force: true }));

  const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('get missing links, and the right to be executed, from many at once', async () => {
    await symlink('gone.so', join(native, 'lib', 'libpq.so'));
    await Promise.all(Array.from({ length: 20 }, async () => completeNative(native)));
    expect((await readdir(join(native, 'lib'))).sort()).toEqual(['libpq.a', 'libpq.so', 'libpq.so.5']);
    expect(await readlink(join(native, 'lib', 'libpq.so'))).toBe('libpq.so.5');
    expect(await mode(join(native, 'bin', 'postgres'))).toBe(0o755);
  });

  it('cannot be completed without their folders', async () => {
    await rm(join(native, 'lib'), { recursive: true });
    await expect(completeNative(native)).rejects.toThrow('ENOENT');
  });

  it('are copied as far as needed, readable by all and writable by their owner alone', async () => {
    const copy = await copyNative(native, join(base, 'some', 'shared'), 'pg');
    expect(copy).toBe(join(base, 'some', 'shared', 'pg'));
    expect(await mode(join(base, 'some', 'shared'))).toBe(0o755);
    expect(await mode(copy)).toBe(0o755);
    expect(await mode(join(copy, 'bin', 'postgres'))).toBe(0o755);
    expect(await mode(join(copy, 'share', 'timezone', 'UTC'))).toBe(0o644);
    expect((await readdir(join(copy, 'lib'))).sort()).toEqual(['libpq.so', 'libpq.so.5']);
  });

  it('are copied once for many at once', async () => {
    const shared = join(base, 'shared');
    const copies = await Promise.all(Array.from({ length: 8 }, async () => copyNative(native, shared, 'pg')));
    expect(new Set(copies)).toEqual(new Set([join(shared, 'pg')]));
    expect(await readdir(shared)).toEqual(['pg']);
    const { ino } = await stat(copies[0]!);
    await copyNative(native, shared, 'pg');
    expect((await stat(copies[0]!)).ino).toBe(ino);
  });

  it('are not copied into a folder that others can write, or that a link leads to', async () => {
    const open = join(base, 'open');
    await mkdir(open);
    await chmod(open, 0o1777);
    const refusal = 'written by other users';
    await expect(copyNative(native, open, 'pg')).rejects.toThrow(`${open} is, or can be, ${refusal}`);
    await symlink(join(base, 'package'), join(base, 'link'));
    await expect(copyNative(native, join(base, 'link'), 'pg')).rejects.toThrow(refusal);
    expect(await readdir(open)).toEqual([]);
  });

  it('are copied below a folder that others can write only where that is sticky', async () => {
    const parent = join(base, 'parent');
    await mkdir(parent);
    await chmod(parent, 0o1777);
    await copyNative(native, join(parent, 'child'), 'pg');
    await chmod(parent, 0o777);
    await expect(copyNative(native, join(parent, 'child'), 'pg')).rejects.toThrow('written by other users');
  });
});
