import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clusterContents } from './cluster-contents.js';

describe('the contents of a cluster that are copied', () => {
  let cluster: string;
  beforeEach(async () => {
    cluster = await mkdtemp(join(tmpdir(), 'fairlead-contents-'));
    await mkdir(join(cluster, 'pg_tblspc'));
  });
  afterEach(async () => rm(cluster, { recursive: true, force: true }));

  async function add(...paths: string[]): Promise<void> {
    for (const path of paths) {
      await mkdir(join(cluster, dirname(path)), { recursive: true });
      await writeFile(join(cluster, path), '');
    }
  }

  async function found(): Promise<string[]> {
    const paths: string[] = [];
    for await (const { path, isDirectory } of clusterContents(cluster))
      paths.push(isDirectory ? `${path}/` : path);
    return paths;
  }

  it('are its files, with their directories before them and the control file last', async () => {
    await add(
      'PG_VERSION',
      'global/pg_control',
      'global/1262',
      'base/5/1259',
      'base/5/1259_fsm',
      'base/5/t3',
    );
    const paths = await found();
    expect(paths.at(-1)).toBe('global/pg_control');
    expect([...paths].sort()).toEqual(
      ['PG_VERSION', 'base/', 'base/5/', 'base/5/1259', 'base/5/1259_fsm', 'base/5/t3']
        .concat('global/', 'global/1262', 'global/pg_control', 'pg_tblspc/')
        .sort(),
    );
    for (const path of paths.slice(0, -1)) {
      const parent = `${dirname(path)}/`;
      if (parent !== './') expect(paths.indexOf(parent)).toBeLessThan(paths.indexOf(path));
    }
  });

  it('are not those of the running server, of sessions, or of an earlier restore', async () => {
    await add('postmaster.pid', 'postmaster.opts', '.s.PGSQL.5432', '.s.PGSQL.5432.lock', 'current_logfiles');
    await add(
      'backup_label',
      'backup_label.old',
      'tablespace_map',
      'backup_manifest',
      'global/pg_internal.init',
    );
    await add(
      'base/pgsql_tmp/pgsql_tmp1.0',
      'base/5/t3_16384',
      'base/5/pg_internal.init.7',
      'global/pg_control',
    );
    await add('pg_wal/000000010000000000000001', 'pg_wal/archive_status/x', 'pg_replslot/one/state');
    await add(
      'pg_stat_tmp/x',
      'pg_notify/0000',
      'pg_subtrans/0000',
      'pg_dynshmem/x',
      'pg_snapshots/x',
      'pg_serial/x',
    );
    expect((await found()).sort()).toEqual(
      ['base/', 'base/5/', 'global/', 'global/pg_control', 'pg_dynshmem/', 'pg_notify/', 'pg_replslot/']
        .concat('pg_serial/', 'pg_snapshots/', 'pg_stat_tmp/', 'pg_subtrans/', 'pg_tblspc/', 'pg_wal/')
        .sort(),
    );
  });

  it('do not include tablespaces, which are refused', async () => {
    await symlink('/', join(cluster, 'pg_tblspc', '16400'));
    await expect(found()).rejects.toThrow('has tablespaces, which a backup does not hold');
  });
});
