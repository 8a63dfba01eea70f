import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterIdentity, identifyCluster, requireUnchanged } from './cluster-identity.js';
import { type ClusterFiles, clusterFiles } from './data-layout.js';

describe('the identity of a cluster', () => {
  let folder: string;
  let files: ClusterFiles;
  let identity: ClusterIdentity;
  const control = (): string => join(files.cluster, 'global', 'pg_control');

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fairlead-cluster-'));
    files = clusterFiles(join(folder, 'postgres'));
    await mkdir(join(files.cluster, 'global'), { recursive: true });
    await writeFile(control(), 'identify and more');
    identity = await identifyCluster(files);
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('stays when its files change', async () => {
    await writeFile(control(), 'identify and something else');
    await writeFile(join(files.cluster, 'another'), '');
    await requireUnchanged(files, identity);
  });

  it.each<[string, () => Promise<void>]>([
    ['removed', () => rm(files.cluster, { recursive: true })],
    ['removed', () => rm(control())],
    ['replaced', () => writeFile(control(), 'another identifier')],
    [
      'replaced',
      async () => {
        await cp(files.cluster, join(folder, 'copy'), { recursive: true });
        await rename(files.cluster, join(folder, 'moved'));
        await rename(join(folder, 'copy'), files.cluster);
      },
    ],
  ])('is lost for good when it is %s', async (change, spoil) => {
    await spoil();
    await expect(requireUnchanged(files, identity)).rejects.toMatchObject({
      final: true,
      message: expect.stringContaining(`${files.cluster} was ${change}`),
    });
  });

  it('is not known while its files cannot be read', async () => {
    await rm(files.cluster, { recursive: true });
    await writeFile(files.cluster, '');
    await expect(requireUnchanged(files, identity)).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
