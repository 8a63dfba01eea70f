import { linkSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptSecret, makeDirectory, publishFile } from './files.js';

/** That of a file system without hard links, such as FAT. */
const noLinks = (): void => {
  throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
};

describe.each<[string, typeof linkSync]>([
  ['with hard links', linkSync],
  ['without hard links', noLinks],
])('a file on a file system %s', (_, hardLink) => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'fairlead-publish-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);

  it('gets its final name', async () => {
    await writeFile(at('one'), 'one');
    publishFile(at('one'), at('final'), hardLink);
    expect(await readdir(folder)).toEqual(['final']);
    expect(await readFile(at('final'), 'utf8')).toBe('one');
  });

  it('replaces no other file, and keeps its name then', async () => {
    await writeFile(at('one'), 'one');
    await writeFile(at('final'), 'other');
    expect(() => publishFile(at('one'), at('final'), hardLink)).toThrow('EEXIST');
    expect(await readFile(at('final'), 'utf8')).toBe('other');
    expect(await readFile(at('one'), 'utf8')).toBe('one');
  });

  it('is the only one of many that are published under one name at once', async () => {
    const names = Array.from({ length: 8 }, (_each, n) => `file-${n}`);
    for (const name of names) await writeFile(at(name), name);
    const published = names.filter((name) => {
      try {
        publishFile(at(name), at('final'), hardLink);
        return true;
      } catch {
        return false;
      }
    });
    expect(published).toHaveLength(1);
    expect(await readFile(at('final'), 'utf8')).toBe(published[0]);
    expect((await readdir(folder)).sort()).toEqual(
      ['final', ...names.filter((name) => name !== published[0])].sort(),
    );
  });
});

describe('in a new folder', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'fairlead-files-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('a directory is made with its parents, once', async () => {
    const path = join(folder, 'a', 'b', 'c');
    makeDirectory(path);
    makeDirectory(path);
    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('no directory is made below a link that leads nowhere, or in /proc, and the attempt ends', async () => {
    await symlink(join(folder, 'missing', 'disk'), join(folder, 'link'));
    expect(() => makeDirectory(join(folder, 'link', 'data'))).toThrow('EEXIST');
    expect(() => makeDirectory('/proc/fairlead/data')).toThrow('ENOENT');
  });

  it('a secret is made up once, for its owner’s eyes', async () => {
    const path = join(folder, 'secret');
    const secret = keptSecret(path);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await readFile(path, 'utf8')).toBe(`${secret}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(keptSecret(path)).toBe(secret);
    expect(await readdir(folder)).toEqual(['secret']);
  });
});
