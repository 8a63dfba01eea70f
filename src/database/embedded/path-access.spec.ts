import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canReach, mayEnter, reachablePath } from './path-access.js';

const user = { name: 'somebody', uid: 54321, gid: 54321 };

describe('mayEnter', () => {
  it.each([
    ['the owner by the first digit', { uid: 54321, gid: 1, mode: 0o40100 }, true],
    ['the owner in spite of the last digit', { uid: 54321, gid: 54321, mode: 0o40677 }, false],
    ['the group by the second digit', { uid: 1, gid: 54321, mode: 0o40010 }, true],
    ['the group in spite of the last digit', { uid: 1, gid: 54321, mode: 0o40767 }, false],
    ['others by the last digit', { uid: 1, gid: 1, mode: 0o40001 }, true],
    ['others in spite of the first', { uid: 1, gid: 1, mode: 0o40776 }, false],
  ])('judges %s', (_, directory, allowed) => {
    expect(mayEnter(directory, user)).toBe(allowed);
  });
});

describe('reachablePath', () => {
  let base: string;
  let cluster: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'fairlead-path-')));
    cluster = join(base, 'data', 'postgres');
    await mkdir(cluster, { recursive: true });
    await chmod(base, 0o755);
    await chmod(join(base, 'data'), 0o755);
  });
  afterEach(async () => rm(base, { recursive: true, force: true }));

  it('is the path where the user can get there', async () => {
    expect(await canReach(join(base, 'data'), user)).toBe(true);
    expect(await reachablePath(cluster, user)).toBe(cluster);
  });

  it('is the path for a program of this process’s own user', async () => {
    await chmod(base, 0o700);
    expect(await reachablePath(cluster, undefined)).toBe(cluster);
  });

  it('is the link to the working directory where a parent is closed', async () => {
    await chmod(base, 0o700);
    expect(await canReach(join(base, 'data'), user)).toBe(false);
    expect(await reachablePath(cluster, user, '/')).toBe('/');
  });

  it('is an error with the way out on systems without that link', async () => {
    await chmod(base, 0o700);
    await expect(reachablePath(cluster, user, '/no/such/link')).rejects.toThrow(
      /the user "somebody".*Set DATA_DIR.*\/var\/lib\/fairlead/,
    );
  });
});
