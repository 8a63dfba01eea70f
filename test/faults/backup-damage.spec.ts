import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restoreBackup } from '../../src/database/backup/restore-backup.js';
import { takeBackup } from '../../src/database/backup/take-backup.js';
import { walSegments } from '../../src/database/backup/wal-position.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { dataLayout, type DataLayout } from '../../src/database/embedded/data-layout.js';
import { beginRestore, RESTORE_MARKER } from '../../src/database/embedded/restore-marker.js';
import { query } from './embedded-support.js';

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');

/** Changes one byte of a file. */
function spoil(path: string, at = Math.floor(statSync(path).size / 2)): void {
  const content = readFileSync(path);
  content[at] = content[at]! ^ 0xff;
  writeFileSync(path, content);
}

/** Changes the manifest of a backup, and writes a checksum that fits. */
function rewrite(backup: string, change: (manifest: any) => void): void {
  const path = join(backup, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
  writeFileSync(`${path}.sha256`, `${sha256(readFileSync(path))}  manifest.json\n`);
}

/** Writes into the manifest what a file of the backup holds now. */
function admit(backup: string, path: string): void {
  const content = readFileSync(join(backup, 'data', path));
  rewrite(backup, ({ files }) =>
    Object.assign(
      files.find((file: { path: string }) => file.path === path),
      { size: content.length, sha256: sha256(content) },
    ),
  );
}

// Each restore copies a cluster, file by file.
describe('a damaged backup', () => {
  let folder: string;
  let sound: string;
  /** A file with rows of a table, and the first segment of the WAL, in the folder `data` of the backup. */
  let table: string;
  let wal: string;
  let index: string;

  const make = (dataDir: string, target: string): Promise<unknown> =>
    takeBackup({ dataDir, target, fairlead: 'test', kept: [] });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fairlead-backup-'));
    sound = join(folder, 'sound');
    const dataDir = join(folder, 'data');
    const database = await EmbeddedPostgres.open({ dataDir });
    await query(
      database.url,
      `CREATE TABLE kept AS SELECT id, md5(id::text) AS text FROM generate_series(1, 20000) AS id;
       CREATE UNIQUE INDEX kept_text ON kept (text)`,
    );
    const [paths] = await query(
      database.url,
      `SELECT pg_relation_filepath('kept') AS "table", pg_relation_filepath('kept_text') AS index`,
    );
    await database.close();
    table = `postgres/${String(paths!['table'])}`;
    index = `postgres/${String(paths!['index'])}`;
    await make(dataDir, sound);
    wal = `postgres/pg_wal/${walSegments(JSON.parse(readFileSync(join(sound, 'manifest.json'), 'utf8')))[0]!}`;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  let backup: string;
  let count = 0;
  beforeEach(() => {
    backup = join(folder, `backup-${(count += 1)}`);
    cpSync(sound, backup, { recursive: true });
  });
  afterEach(() => rmSync(backup, { recursive: true, force: true }));

  /** Restores into a new data directory, which must be as empty as before. @returns the error */
  async function refusal(source = backup): Promise<string> {
    const dataDir = mkdtempSync(join(folder, 'restored-'));
    const message = await restoreBackup({ backup: source, dataDir, log: () => undefined }).then(
      () => 'it was restored',
      (error: unknown) => String(error),
    );
    expect(readdirSync(dataDir)).toEqual([]);
    return message;
  }

  const inData = (path: string): string => join(backup, 'data', path);

  it('that is no folder is named [contract 5]', async () => {
    expect(await refusal(join(folder, 'nowhere'))).toContain(
      `There is no backup at ${join(folder, 'nowhere')}: no such folder`,
    );
    expect(await refusal(join(sound, 'manifest.json'))).toContain('no such folder');
  });

  it('is refused where a file is missing, or has another size, or has come from elsewhere [contract 5]', async () => {
    rmSync(inData(table));
    expect(await refusal()).toContain(`is incomplete: ${table} is missing`);
    cpSync(join(sound, 'data', table), inData(table));
    truncateSync(inData(table), 8192);
    expect(await refusal()).toMatch(new RegExp(`is damaged: ${table} has 8192 bytes, not \\d+`));
    cpSync(join(sound, 'data', table), inData(table));
    writeFileSync(inData('postgres/standby.signal'), '');
    expect(await refusal()).toContain('postgres/standby.signal does not belong to it');
  });

  it('is refused where a byte has changed, in any kind of file [contract 5]', async () => {
    for (const path of [
      table,
      wal,
      'postgres/backup_label',
      'postgres/global/pg_control',
      'postgres-password',
    ]) {
      spoil(inData(path));
      expect(await refusal()).toContain(`is damaged: the contents of ${path} have changed`);
      cpSync(join(sound, 'data', path), inData(path));
    }
  });

  it('is refused where its manifest is cut, changed or missing [contract 5]', async () => {
    const manifest = join(backup, 'manifest.json');
    const { size } = statSync(manifest);
    appendFileSync(manifest, '\n');
    expect(await refusal()).toContain('manifest.json is not what manifest.json.sha256 says');
    truncateSync(manifest, Math.floor(size / 2));
    expect(await refusal()).toContain('manifest.json is not what manifest.json.sha256 says');
    rmSync(`${manifest}.sha256`);
    expect(await refusal()).toMatch(
      /not a backup made by `fairlead backup`: manifest\.json\.sha256 .*ENOENT/,
    );
    rmSync(manifest);
    expect(await refusal()).toMatch(/not a backup made by `fairlead backup`: manifest\.json .*ENOENT/);
  });

  it('is refused where it lacks WAL that recovery needs, or the label that starts recovery [contract 5]', async () => {
    rmSync(inData(wal));
    expect(await refusal()).toContain(`${wal} is missing`);
    for (const path of [wal, 'postgres/backup_label']) {
      rewrite(backup, (manifest) => {
        manifest.files = manifest.files.filter((file: { path: string }) => file.path !== path);
      });
      expect(await refusal()).toContain(`is incomplete: it has no ${path}`);
      cpSync(join(sound, 'manifest.json'), join(backup, 'manifest.json'));
      cpSync(join(sound, 'manifest.json.sha256'), join(backup, 'manifest.json.sha256'));
    }
  });

  it('is refused by PostgreSQL where its WAL does not reach the end of the backup [contract 5]', async () => {
    // The end is the last that was written to the segment; zeros follow.
    const content = readFileSync(inData(wal));
    const used = content.findLastIndex((byte) => byte !== 0) + 1;
    content.fill(0, used - 200, used);
    writeFileSync(inData(wal), content);
    admit(backup, wal);
    expect(await refusal()).toMatch(/database is not sound.*WAL ends before end of online backup/s);
  });

  it('is refused where a page is damaged that PostgreSQL wrote with a checksum [contract 5]', async () => {
    spoil(inData(index), 8192 * 3 + 4000);
    admit(backup, index);
    expect(await refusal()).toMatch(/database is not sound.*invalid page in block 3/s);
  });

  it('is refused where an index lacks rows of its table, although nothing was changed since [contract 5]', async () => {
    const dataDir = join(folder, 'bent-data');
    const database = await EmbeddedPostgres.open({ dataDir });
    await query(
      database.url,
      `CREATE FUNCTION bent(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1';
       CREATE TABLE kept AS SELECT 'row' AS text;
       CREATE INDEX bent_key ON kept (bent(text));
       CREATE OR REPLACE FUNCTION bent(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1 || 1'`,
    );
    await database.close();
    const bent = join(folder, 'bent');
    await make(dataDir, bent);
    expect(await refusal(bent)).toMatch(
      /database is not sound.*lacks matching index tuple within index "bent_key"/s,
    );
  });

  it('of another major version is refused, and says who can restore it [contract 5]', async () => {
    rewrite(backup, (manifest) => {
      Object.assign(manifest, { postgres: '17.9', fairlead: '0.0.9' });
    });
    expect(await refusal()).toMatch(/was made by PostgreSQL 17,.*Restore it with Fairlead 0\.0\.9/s);
  });

  it('that names files outside of itself is refused, and so is one of another format [contract 5]', async () => {
    rewrite(backup, ({ directories }) => directories.push('postgres/../../outside'));
    expect(await refusal()).toContain('names postgres/../../outside, which is outside of it');
    rewrite(backup, (manifest) => Object.assign(manifest, { format: 'fairlead-backup-9' }));
    expect(await refusal()).toContain('has the format fairlead-backup-9, and this version of Fairlead reads');
  });

  it('that has a link in place of a file or a folder is refused [contract 5]', async () => {
    const outside = join(folder, 'outside');
    mkdirSync(outside, { recursive: true });
    for (const path of ['postgres/PG_VERSION', 'postgres/pg_wal']) {
      cpSync(inData(path), join(outside, 'kept'), { recursive: true });
      rmSync(inData(path), { recursive: true });
      symlinkSync(join(outside, 'kept'), inData(path));
      expect(await refusal()).toMatch(/is incomplete: postgres\/(PG_VERSION|pg_wal\S*) is missing/);
      rmSync(inData(path));
      cpSync(join(sound, 'data', path), inData(path), { recursive: true });
      rmSync(join(outside, 'kept'), { recursive: true });
    }
  });

  it.each<[string, (manifest: any) => unknown]>([
    ['has no right segmentBytes', (manifest) => (manifest.segmentBytes = 1)],
    ['has no right segmentBytes', (manifest) => (manifest.segmentBytes = 0)],
    [
      'is incomplete: it lacks WAL',
      (manifest) => Object.assign(manifest, { start: '0/0', stop: 'FFFFFFFF/FF' }),
    ],
    ['is incomplete: it lacks WAL', (manifest) => (manifest.stop = '0/1')],
    ['has no right start', (manifest) => (manifest.start = 'x')],
    ['has no right postgres', (manifest) => (manifest.postgres = 'evil')],
    ['has no right files', (manifest) => (manifest.files = undefined)],
    ['has no right files', (manifest) => (manifest.files[0].path = 'postgres/\0')],
    ['has no right directories', (manifest) => (manifest.directories = ['postgres', 7])],
    [
      'names postgres.lock, which is outside',
      (manifest) => manifest.files.push({ ...manifest.files[0], path: 'postgres.lock' }),
    ],
    ['names postgres/./base, which is outside', (manifest) => (manifest.directories[0] = 'postgres/./base')],
  ])('is refused where its manifest is not one: %s [contract 5]', async (reason, change) => {
    rewrite(backup, change);
    expect(await refusal()).toContain(reason);
  });

  it('is not what a plain copy of a data directory is, which is refused [contract 5]', async () => {
    expect(await refusal(join(folder, 'data'))).toMatch(/not a backup.*may lack records/s);
    expect(await refusal(join(backup, 'data'))).toMatch(/not a backup.*may lack records/s);
  });

  it('is restored when it is sound, into an empty or absent directory only [contract 5]', async () => {
    const dataDir = join(folder, 'absent', 'data');
    const restore = (into: string): Promise<unknown> =>
      restoreBackup({ backup, dataDir: into, log: () => undefined });
    await restore(dataDir);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password']);
    expect(existsSync(join(dataDir, 'postgres', 'backup_label'))).toBe(false);
    const database = await EmbeddedPostgres.open({ dataDir });
    expect(await query(database.url, 'SELECT count(*)::int AS rows FROM kept')).toEqual([{ rows: 20000 }]);
    expect(
      await query(database.url, `SELECT 1 AS found FROM pg_extension WHERE extname = 'amcheck'`),
    ).toEqual([]);
    await database.close();
    await expect(restore(dataDir)).rejects.toThrow(/empty data directory only.*holds postgres, .*DATA_DIR/s);
    const other = join(folder, 'other');
    mkdirSync(join(other, 'notes'), { recursive: true });
    await expect(restore(other)).rejects.toThrow(/\(DATA_DIR\) holds notes/);
    expect(readdirSync(other)).toEqual(['notes']);
  });

  it('is not made where something has its name, in the data directory, or without a database [contract 5]', async () => {
    const dataDir = join(folder, 'data');
    await expect(make(dataDir, sound)).rejects.toThrow(`${sound} cannot be made: it exists already`);
    for (const name of ['backup', '..backup']) {
      await expect(make(dataDir, join(dataDir, name))).rejects.toThrow(
        /inside of the data directory \(DATA_DIR\)/,
      );
    }
    await expect(make(dataDir, join(dataDir, '...'))).rejects.toThrow(
      /inside of the data directory \(DATA_DIR\)/,
    );
    await expect(make(dataDir, join(folder, 'no', 'folder'))).rejects.toThrow(/there is no folder for it/);
    await expect(make(dataDir, join(sound, 'manifest.json', 'new'))).rejects.toThrow(
      /new cannot be made: there is no folder for it/,
    );
    const nothing = join(folder, 'nothing');
    await expect(make(nothing, join(folder, 'new'))).rejects.toThrow(
      /no database in the data directory .*DATA_DIR/,
    );
    expect(existsSync(nothing)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });
});

describe('a restore that is cut short between its last steps', () => {
  let folder: string;
  let backup: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fairlead-restore-'));
    backup = join(folder, 'backup');
    const dataDir = join(folder, 'data');
    const database = await EmbeddedPostgres.open({ dataDir });
    await query(database.url, 'CREATE TABLE kept AS SELECT 1 AS id');
    await database.close();
    await takeBackup({ dataDir, target: backup, fairlead: 'test', kept: [] });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A restored data directory, as it was after `beginRestore`. */
  async function restored(): Promise<DataLayout> {
    const dataDir = mkdtempSync(join(folder, 'restored-'));
    await restoreBackup({ backup, dataDir, log: () => undefined });
    const layout = dataLayout(realpathSync(dataDir));
    await beginRestore(layout, ['postgres-password']);
    return layout;
  }

  async function expectRows({ root }: DataLayout): Promise<void> {
    const database = await EmbeddedPostgres.open({ dataDir: root });
    try {
      expect(await query(database.url, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
    } finally {
      await database.close();
    }
    expect(existsSync(join(root, RESTORE_MARKER))).toBe(false);
  }

  it('makes no new database, says what to do, and can be repeated [contract 5]', async () => {
    const layout = await restored();
    rmSync(layout.cluster, { recursive: true });
    await expect(EmbeddedPostgres.open({ dataDir: layout.root })).rejects.toThrow(
      `A restore into the data directory ${layout.root} (DATA_DIR) was cut short`,
    );
    expect(existsSync(layout.cluster)).toBe(false);
    await restoreBackup({ backup, dataDir: layout.root, log: () => undefined });
    await expectRows(layout);
  });

  it('is whole where the database has its place [contract 5]', async () => expectRows(await restored()));
});
