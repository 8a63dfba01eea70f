import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { dataLayout } from '../../src/database/embedded/data-layout.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { otherPrograms } from '../../src/database/major/other-programs.js';
import { withUpgradeLock } from '../../src/database/major/upgrade-lock.js';
import { migrateAt } from '../../src/database/open-database.js';
import { Programs, postgresOf, postgresUrl } from '../support/program.js';
import { tableRows } from '../support/table-rows.js';
import { NATIVE_PACKAGE, query } from './embedded-support.js';

/** Folder of PostgreSQL 17's package, which is there for this test only. */
const OLD_PACKAGE = dirname(
  dirname(createRequire(require.resolve('embedded-postgres-17')).resolve(NATIVE_PACKAGE)),
);

// Each upgrade makes a cluster and starts several servers.
describe('a database of another major version of PostgreSQL', () => {
  const programs = new Programs();
  let folder: string;
  let dataDir: string;
  let rows: Record<string, string[]>;
  let open: () => Promise<EmbeddedPostgres>;

  /** A data directory of PostgreSQL 17 with the tables of the service and some rows. */
  beforeEach(async () => {
    folder = programs.folder();
    dataDir = join(folder, 'data');
    const old = await otherPrograms(OLD_PACKAGE);
    open = () => EmbeddedPostgres.open({ dataDir, programs: old });
    const database = await open();
    await migrateAt({ url: database.url, entities: [], scramOnly: true });
    await query(
      database.url,
      `INSERT INTO accounts (id, slug, name) VALUES (gen_random_uuid(), 'acme', 'Acme');
       INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
         SELECT accounts.id, 'contacts', gen_random_uuid(), jsonb_build_object('first_name', n::text), now(), now()
         FROM accounts, generate_series(1, 500) AS n`,
    );
    rows = await tableRows(database.url);
    await database.close();
  });
  afterEach(() => programs.end());

  const upgrade = (oldBinaries = OLD_PACKAGE): ReturnType<Programs['cli']> =>
    programs.cli(['upgrade', '--old-binaries', oldBinaries, '--json'], { DATA_DIR: dataDir });

  it('is named at the start, with the command that moves it, which keeps the former one [contract 5]', async () => {
    const refused = await programs.cli(['account', 'list'], { DATA_DIR: dataDir });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/was made by PostgreSQL 17,.*`fairlead upgrade --old-binaries <folder>`/s);

    const { code, stdout } = await upgrade();
    expect({ code, document: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      document: { from: '17', to: '18', kept: join(dataDir, 'postgres-17') },
    });
    expect(readdirSync(dataDir).sort()).toEqual([
      'postgres',
      'postgres-17',
      'postgres-password',
      'postgres.log',
    ]);
    expect(readFileSync(join(dataDir, 'postgres-17', 'PG_VERSION'), 'utf8')).toBe('17\n');
    const server = programs.server({ DATA_DIR: dataDir, DEMO: 'false' }, folder);
    await server.listening();
    expect(await query(postgresUrl(dataDir), 'SHOW server_version')).toEqual([
      { server_version: expect.stringMatching(/^18\./) },
    ]);
    expect(await tableRows(postgresUrl(dataDir))).toEqual(rows);
    expect(await server.stop()).toBe(0);

    const again = await upgrade();
    expect(JSON.parse(again.stdout)).toMatchObject({ from: '18', to: '18', kept: null });
    // The former one is whole.
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    renameSync(join(dataDir, 'postgres-17'), join(dataDir, 'postgres'));
    const former = await open();
    expect(await tableRows(former.url)).toEqual(rows);
    await former.close();
  });

  it('is left alone by an upgrade that cannot be done, which says why [contract 5]', async () => {
    const nothing = await upgrade(folder);
    expect(nothing.stderr).toMatch(/holds no programs of PostgreSQL: there is no .*postgres/);
    const wrong = await upgrade(dirname(dirname(require.resolve(NATIVE_PACKAGE))));
    expect(wrong.stderr).toMatch(
      /made by PostgreSQL 17,.*of PostgreSQL 18\..*--old-binaries must name those of PostgreSQL 17/s,
    );
    const used = await open();
    const running = await upgrade();
    expect(running.stderr).toMatch(new RegExp(`is in use \\(process ${postgresOf(dataDir)} serves it\\)`));
    await query(
      used.url,
      `CREATE TABLE strange (id int); CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.kept (id int)`,
    );
    await used.close();
    // No migration makes these tables, so that they would be lost.
    const strange = await upgrade();
    expect(strange.stderr).toMatch(/no table elsewhere\.kept, which the dump holds/);
    expect([nothing, wrong, running, strange].map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
    const database = await open();
    expect(await tableRows(database.url)).toEqual({ ...rows, 'elsewhere.kept': [], 'public.strange': [] });
    await database.close();
  });

  it('is moved by one upgrade at a time, and the other one says so and removes nothing [contract 5]', async () => {
    const layout = dataLayout(realpathSync(dataDir));
    const work = join(dataDir, 'postgres.upgrade-first');
    mkdirSync(work);
    await withUpgradeLock(layout, console.error, async () => {
      const { code, stderr } = await upgrade();
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `Another \`upgrade\` of the database in ${layout.root} (DATA_DIR) is running: wait until it has ended\n`,
      });
      expect(existsSync(work)).toBe(true);
    });
    // What the first one has left behind is removed when it has ended, or when its process was killed.
    mkdirSync(layout.upgradeLock);
    utimesSync(layout.upgradeLock, 0, 0);
    const both = await Promise.all([upgrade(), upgrade()]);
    for (const { code, stdout, stderr } of both) {
      if (code === 1) expect(stderr).toContain('is running: wait until it has ended');
      else expect(JSON.parse(stdout)).toMatchObject({ to: '18' });
    }
    expect(both.filter(({ code, stdout }) => code === 0 && JSON.parse(stdout).from === '17')).toHaveLength(1);
    expect(readdirSync(dataDir).sort()).toEqual([
      'postgres',
      'postgres-17',
      'postgres-password',
      'postgres.log',
    ]);
    const server = programs.server({ DATA_DIR: dataDir, DEMO: 'false' }, folder);
    await server.listening();
    expect(await tableRows(postgresUrl(dataDir))).toEqual(rows);
    expect(await server.stop()).toBe(0);
  });

  it('that was about to be replaced when the upgrade was killed is replaced at the next start [contract 5]', async () => {
    expect((await upgrade()).code).toBe(0);
    renameSync(join(dataDir, 'postgres'), join(dataDir, 'postgres.upgraded'));
    const before = statSync(join(dataDir, 'postgres.upgraded')).ino;
    const { code, stdout } = await programs.cli(['account', 'list', '--json'], { DATA_DIR: dataDir });
    expect({ code, accounts: JSON.parse(stdout).accounts }).toMatchObject({
      code: 0,
      accounts: [{ slug: 'acme' }],
    });
    expect(statSync(join(dataDir, 'postgres')).ino).toBe(before);
    expect(existsSync(join(dataDir, 'postgres.upgraded'))).toBe(false);
  });
});
