import { lstat, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDirectoryError, prepareDataDirectory } from './data-directory.js';

describe('prepareDataDirectory', () => {
  let base: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'fairlead-data-')));
  });
  afterEach(async () => rm(base, { recursive: true, force: true }));

  it('creates the directory with its parents and names what is in it', async () => {
    const root = join(base, 'a', 'b c');
    expect(await prepareDataDirectory(root)).toEqual({
      root,
      cluster: join(root, 'postgres'),
      pidFile: join(root, 'postgres', 'postmaster.pid'),
      accessFile: join(root, 'postgres', 'pg_hba.conf'),
      passwordFile: join(root, 'postgres-password'),
      logFile: join(root, 'postgres.log'),
      lockFile: join(root, 'postgres.lock'),
      portFile: join(root, 'postgres-port'),
    });
    expect((await lstat(root)).isDirectory()).toBe(true);
  });

  it('resolves symbolic links', async () => {
    await symlink(base, join(base, 'link'));
    expect((await prepareDataDirectory(join(base, 'link', 'data'))).root).toBe(join(base, 'data'));
  });

  it('names DATA_DIR where nothing can be created', async () => {
    await expect(prepareDataDirectory('/proc/fairlead/data')).rejects.toThrow(
      /\(DATA_DIR\) cannot be used: \/proc/,
    );
  });
});

describe('dataDirectoryError', () => {
  it.each([
    ['EACCES', 'this user may not create, enter or write it (EACCES)'],
    ['EROFS', 'it is on a read-only file system (EROFS)'],
    ['ENOTDIR', 'a part of that path is a file, not a directory (ENOTDIR)'],
    ['ENOSPC', 'its disk is full (ENOSPC)'],
    ['EIO', 'boom (EIO)'],
  ])('explains %s', (code, reason) => {
    const { message } = dataDirectoryError('/data', Object.assign(new Error('boom'), { code }));
    expect(message).toContain(`The data directory (DATA_DIR) cannot be used: /data: ${reason}.`);
    expect(message).toContain('DATABASE_URL');
  });

  it('gives the words of an error without a code', () => {
    expect(dataDirectoryError('/data', 'odd').message).toContain('/data: odd. Set DATA_DIR');
  });
});
