import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyNative, isTrusted } from './native-copy.js';

describe('copyNative', () => {
  let base: string;
  let native: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'fairlead-copy-')));
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

  it('copies what is needed, readable by all and writable by its owner alone', async () => {
    const copy = await copyNative(native, join(base, 'some', 'shared'), 'pg');
    expect(copy).toBe(join(base, 'some', 'shared', 'pg'));
    expect(await mode(join(base, 'some', 'shared'))).toBe(0o755);
    expect(await mode(copy)).toBe(0o755);
    expect(await mode(join(copy, 'bin', 'postgres'))).toBe(0o755);
    expect(await mode(join(copy, 'share', 'timezone', 'UTC'))).toBe(0o644);
    expect((await readdir(join(copy, 'lib'))).sort()).toEqual(['libpq.so', 'libpq.so.5']);
    expect(await readlink(join(copy, 'lib', 'libpq.so'))).toBe('libpq.so.5');
  });

  it('makes one copy for many at once, and keeps it', async () => {
    const shared = join(base, 'shared');
    const copies = await Promise.all(Array.from({ length: 8 }, async () => copyNative(native, shared, 'pg')));
    expect(new Set(copies)).toEqual(new Set([join(shared, 'pg')]));
    expect(await readdir(shared)).toEqual(['pg']);
    const { ino } = await stat(copies[0]!);
    await copyNative(native, shared, 'pg');
    expect((await stat(copies[0]!)).ino).toBe(ino);
  });

  it.each([
    ['incomplete', async (copy: string) => truncate(join(copy, 'bin', 'postgres'))],
    ['writable by others', async (copy: string) => chmod(join(copy, 'lib'), 0o777)],
    ['a program that others can write', async (copy: string) => chmod(join(copy, 'bin', 'postgres'), 0o777)],
  ])('replaces a copy that is %s', async (_, damage) => {
    const copy = await copyNative(native, join(base, 'shared'), 'pg');
    await damage(copy);
    const again = await Promise.all(
      [1, 2, 3].map(async () => copyNative(native, join(base, 'shared'), 'pg')),
    );
    expect(again).toEqual([copy, copy, copy]);
    expect(await readFile(join(copy, 'bin', 'postgres'), 'utf8')).toBe('program');
    expect(await mode(join(copy, 'lib'))).toBe(0o755);
    expect(await mode(join(copy, 'bin', 'postgres'))).toBe(0o755);
  });

  it('uses no folder that others can write, or that a link leads to', async () => {
    const open = join(base, 'open');
    await mkdir(open);
    await chmod(open, 0o1777);
    await expect(copyNative(native, open, 'pg')).rejects.toThrow(
      `${open} is, or can be, written by other users`,
    );
    await symlink(join(base, 'package'), join(base, 'link'));
    await expect(copyNative(native, join(base, 'link'), 'pg')).rejects.toThrow('written by other users');
    expect(await readdir(open)).toEqual([]);
  });

  it('trusts folders below a shared directory only when that is sticky', async () => {
    const [parent, child] = [join(base, 'parent'), join(base, 'parent', 'child')];
    await mkdir(child, { recursive: true });
    await chmod(parent, 0o1777);
    expect(await isTrusted(child)).toBe(true);
    await chmod(parent, 0o777);
    expect(await isTrusted(child)).toBe(false);
  });
});
