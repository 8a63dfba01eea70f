import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectCluster, requireMajor } from './cluster.js';
import { type DataLayout, dataLayout } from './data-layout.js';

describe('inspectCluster', () => {
  let layout: DataLayout;
  beforeEach(async () => {
    layout = dataLayout(await mkdtemp(join(tmpdir(), 'fairlead-cluster-')));
  });
  afterEach(async () => rm(layout.root, { recursive: true, force: true }));

  it('finds nothing where there is nothing, or an empty directory', async () => {
    expect(await inspectCluster(layout)).toBeUndefined();
    await mkdir(layout.cluster);
    expect(await inspectCluster(layout)).toBeUndefined();
  });

  it('reads the version and the owner', async () => {
    await mkdir(layout.cluster);
    await writeFile(join(layout.cluster, 'PG_VERSION'), '18\n');
    const owner = { uid: process.geteuid?.(), gid: process.getegid?.() };
    expect(await inspectCluster(layout)).toEqual({ major: '18', ...owner });
  });

  it('refuses what is not a cluster', async () => {
    await mkdir(layout.cluster);
    await writeFile(join(layout.cluster, 'notes'), '');
    await expect(inspectCluster(layout)).rejects.toThrow(/not a PostgreSQL database.*DATA_DIR/);
    await rm(layout.cluster, { recursive: true });
    await writeFile(layout.cluster, '');
    await expect(inspectCluster(layout)).rejects.toThrow(/\(DATA_DIR\).*ENOTDIR/);
  });
});

describe('requireMajor', () => {
  it('accepts the same version only', () => {
    requireMajor('/data/postgres', '18', '18');
    expect(() => requireMajor('/data/postgres', '17', '18')).toThrow(
      /PostgreSQL 17.*PostgreSQL 18.*fairlead dump.*DATA_DIR.*fairlead load/,
    );
  });
});
