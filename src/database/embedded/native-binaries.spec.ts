import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSharedDirs, nativeBinaries } from './native-binaries.js';

describe('nativeBinaries', () => {
  let base: string;
  let native: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'fairlead-binaries-')));
    native = join(base, 'native');
    await mkdir(join(native, 'bin'), { recursive: true });
    await mkdir(join(native, 'lib'));
  });
  afterEach(async () => rm(base, { recursive: true, force: true }));

  const program = async (script: string): Promise<void> =>
    writeFile(join(native, 'bin', 'postgres'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  it('takes the programs where they are when they run there', async () => {
    await program('exit 0');
    expect(await nativeBinaries(undefined, [], { native, version: '18.4.0-beta.17' })).toEqual({
      initdb: join(native, 'bin', 'initdb'),
      postgres: join(native, 'bin', 'postgres'),
      pgCtl: join(native, 'bin', 'pg_ctl'),
      major: '18',
    });
  });

  it('makes no copy of programs that cannot run on this machine, and gives their words', async () => {
    await program("echo 'libc.so.6: version GLIBC_2.99 not found' >&2; exit 1");
    const shared = join(base, 'shared');
    await expect(nativeBinaries(undefined, [shared], { native, version: '18.4.0' })).rejects.toThrow(
      /does not run here.*GLIBC_2\.99 not found.*DATABASE_URL/,
    );
    await expect(chmod(shared, 0o755)).rejects.toThrow('ENOENT');
  });

  it('tells everything it tried when no place will do', async () => {
    await program('exit 0');
    await writeFile(join(native, 'pg-symlinks.json'), 'not json');
    await writeFile(join(base, 'file'), '');
    await expect(
      nativeBinaries(undefined, [join(base, 'file', 'shared')], { native, version: '18.4.0' }),
    ).rejects.toThrow(
      /cannot be run, neither where.*nor from a copy.*file\/shared: not a directory.*DATABASE_URL/,
    );
  });
});

describe('defaultSharedDirs', () => {
  it('ends with a folder of this user’s own in the temporary directory', () => {
    expect(defaultSharedDirs().at(-1)).toBe(join(tmpdir(), `fairlead-${process.geteuid?.() ?? 0}`));
  });
});
