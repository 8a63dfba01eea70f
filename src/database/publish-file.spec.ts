import { link, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishFile } from './publish-file.js';

/** That of a file system without hard links, such as FAT. */
const noLinks = (): Promise<void> =>
  Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' }));

describe.each<[string, typeof link]>([
  ['with hard links', link],
  ['without hard links', noLinks],
])('a file on a file system %s', (_, hardLink) => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'fairlead-publish-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);

  it('gets its final name', async () => {
    await writeFile(at('one'), 'one');
    await publishFile(at('one'), at('final'), hardLink);
    expect(await readdir(folder)).toEqual(['final']);
    expect(await readFile(at('final'), 'utf8')).toBe('one');
  });

  it('replaces no other file, and keeps its name then', async () => {
    await writeFile(at('one'), 'one');
    await writeFile(at('final'), 'other');
    await expect(publishFile(at('one'), at('final'), hardLink)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(at('final'), 'utf8')).toBe('other');
    expect(await readFile(at('one'), 'utf8')).toBe('one');
  });

  it('is the only one of many that are published under one name at once', async () => {
    const names = Array.from({ length: 8 }, (_each, n) => `file-${n}`);
    for (const name of names) await writeFile(at(name), name);
    const tried = await Promise.allSettled(names.map((each) => publishFile(at(each), at('final'), hardLink)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const published = names[tried.findIndex(({ status }) => status === 'fulfilled')];
    expect(await readFile(at('final'), 'utf8')).toBe(published);
    expect((await readdir(folder)).sort()).toEqual(
      ['final', ...names.filter((name) => name !== published)].sort(),
    );
  });
});
