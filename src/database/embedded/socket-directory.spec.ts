import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeStaleSocketLock, requirePrivate, socketDirectory } from './socket-directory.js';

describe('the directory of the socket', () => {
  let base: string;
  let temporary: string;
  let long: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'fl-')));
    temporary = join(base, 'tmp');
    long = join(base, 'd'.repeat(80), 'postgres');
    await mkdir(temporary);
    await mkdir(long, { recursive: true, mode: 0o700 });
  });
  afterEach(async () => rm(base, { recursive: true, force: true }));

  it('is the cluster where that has a path for sockets', async () => {
    const cluster = join(base, 'postgres');
    await mkdir(cluster, { mode: 0o700 });
    expect(await socketDirectory(cluster, temporary)).toBe(cluster);
    expect(await readdir(cluster)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('is a private one, always the same, where the path of the cluster is too long', async () => {
    const directory = await socketDirectory(long, temporary);
    expect(directory).toMatch(new RegExp(`^${temporary}/fairlead-[\\da-f]{16}$`));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await socketDirectory(long, temporary)).toBe(directory);
    expect(await readdir(temporary)).toHaveLength(1);
  });

  it.each([
    ['others may enter it', async (directory: string) => chmod(directory, 0o711)],
    [
      'it is a link',
      async (directory: string) => {
        await rename(directory, `${directory}-moved`);
        await symlink(`${directory}-moved`, directory);
      },
    ],
    [
      'it is a file',
      async (directory: string) => {
        await rm(directory, { recursive: true });
        await writeFile(directory, '', { mode: 0o700 });
      },
    ],
    ['others may replace it', async () => chmod(temporary, 0o777)],
  ])('is refused when %s', async (_, spoil) => {
    const directory = await socketDirectory(long, temporary);
    await spoil(directory);
    await expect(requirePrivate(directory, long)).rejects.toThrow(/other users.*DATA_DIR.*TMPDIR/);
    await expect(socketDirectory(long, temporary)).rejects.toThrow('other users');
  });

  it('may be in a folder that all share when nobody can replace it there', async () => {
    await chmod(temporary, 0o1777);
    await requirePrivate(await socketDirectory(long, temporary), long);
  });

  it('needs a shorter path when both are too long', async () => {
    const far = join(base, 't'.repeat(80));
    await mkdir(far);
    await expect(socketDirectory(long, far)).rejects.toThrow(/too long.*DATA_DIR or TMPDIR/);
  });
});

describe('the lock of a socket that a killed server left behind', () => {
  let cluster: string;
  beforeEach(async () => {
    cluster = await mkdtemp(join(tmpdir(), 'fl-'));
  });
  afterEach(async () => rm(cluster, { recursive: true, force: true }));

  it.each(['', 'nonsense', `${process.pid}\n`, '999999999\n'])(
    'is removed when it holds %j',
    async (text) => {
      await writeFile(join(cluster, '.s.PGSQL.5432.lock'), text);
      await removeStaleSocketLock(cluster, cluster);
      expect(await readdir(cluster)).toEqual([]);
    },
  );

  it('need not exist', async () => {
    await removeStaleSocketLock(cluster, cluster);
  });
});
