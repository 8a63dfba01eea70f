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
import { databaseUrl, isWorthRetrying, requirePrivate, socketDirectory, socketSetting } from './start.js';

describe('the directory of the socket', () => {
  const { TMPDIR } = process.env;
  let base: string;
  let temporary: string;
  let long: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'fl-')));
    temporary = join(base, 'tmp');
    long = join(base, 'd'.repeat(80), 'postgres');
    await mkdir(temporary);
    await mkdir(long, { recursive: true, mode: 0o700 });
    process.env['TMPDIR'] = temporary;
  });
  afterEach(async () => {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
    await rm(base, { recursive: true, force: true });
  });

  it('is the cluster where that has a path for sockets, without the lock of a killed server', async () => {
    const cluster = join(base, 'postgres');
    await mkdir(cluster, { mode: 0o700 });
    await writeFile(join(cluster, '.s.PGSQL.5432.lock'), `${process.pid}\n`);
    expect(await socketDirectory(cluster)).toBe(cluster);
    expect(await readdir(cluster)).toEqual([]);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('is a private one, always the same, where the path of the cluster is too long', async () => {
    const directory = await socketDirectory(long);
    expect(directory).toMatch(new RegExp(`^${temporary}/fairlead-[\\da-f]{16}$`));
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await socketDirectory(long)).toBe(directory);
    expect(await readdir(temporary)).toHaveLength(1);
  });

  it('is that of before, which is made again', async () => {
    const before = join(temporary, 'fairlead-before');
    expect(await socketDirectory(long, before)).toBe(before);
    expect((await stat(before)).mode & 0o777).toBe(0o700);
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
    const directory = await socketDirectory(long);
    await spoil(directory);
    await expect(requirePrivate(directory, long)).rejects.toThrow(/other users.*DATA_DIR.*TMPDIR/);
    await expect(socketDirectory(long)).rejects.toThrow('other users');
  });

  it('may be in a folder that all share when nobody can replace it there', async () => {
    await chmod(temporary, 0o1777);
    await requirePrivate(await socketDirectory(long), long);
  });

  it('needs a shorter path when both are too long', async () => {
    process.env['TMPDIR'] = join(base, 't'.repeat(80));
    await mkdir(process.env['TMPDIR']);
    await expect(socketDirectory(long)).rejects.toThrow(/too long.*DATA_DIR or TMPDIR/);
  });
});

it.each([
  ['/data/postgres', '.'],
  ['/tmp/a, "b"', '"/tmp/a, ""b"""'],
])('a server with its socket in %s has the setting %s', (directory, setting) => {
  expect(socketSetting(directory, '/data/postgres')).toBe(setting);
});

it('the address has the directory of the socket in place of a host', () => {
  const url = databaseUrl('/my data/é', 'p@ss');
  expect(url).toBe('postgres://fairlead:p%40ss@%2Fmy%20data%2F%C3%A9:5432/fairlead');
  expect(new URL(url).href).toBe(url);
});

it.each([
  ['FATAL:  lock file "postmaster.pid" already exists', true],
  ['FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use', true],
  ['LOG:  received fast shutdown request', true],
  ['FATAL:  configuration file "/data/postgresql.conf" contains errors', false],
  ['', false],
])('a start that ends with %j is worth another one: %s', (output, expected) => {
  expect(isWorthRetrying(output)).toBe(expected);
});
