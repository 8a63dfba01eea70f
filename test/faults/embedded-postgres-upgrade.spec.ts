import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { takeBackup } from '../../src/database/backup/take-backup.js';
import { createDataSource } from '../../src/database/data-source.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/database/migrations.js';
import { ENTITIES } from '../../src/entities.js';
import { asSuperuser } from '../support/superuser.js';
import { serveEarlier, startEarlierServer } from './earlier-cluster.js';
import { Workshop, query } from './embedded-support.js';
import { waitFor } from '../support/wait-for.js';

/** One of everything that a migration of an extension may have made. */
const EVERYTHING = `
  CREATE EXTENSION citext;
  CREATE SCHEMA extra;
  CREATE TYPE extra.mood AS ENUM ('fine', 'bad');
  CREATE DOMAIN extra.positive AS int CHECK (value > 0);
  CREATE TYPE extra.pair AS (a int, b int);
  CREATE TYPE extra.span AS RANGE (subtype = int);
  CREATE SEQUENCE extra.tickets;
  CREATE FUNCTION extra.double(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2';
  CREATE PROCEDURE extra.nothing() LANGUAGE sql AS '';
  CREATE AGGREGATE extra.total(int) (sfunc = int4pl, stype = int);
  CREATE TABLE extra.kept (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number serial, mood extra.mood, size extra.positive,
    pair extra.pair, span extra.span, name citext, twice int DEFAULT extra.double(21));
  CREATE TABLE extra.parted (id int) PARTITION BY RANGE (id);
  CREATE TABLE extra.part PARTITION OF extra.parted FOR VALUES FROM (0) TO (10);
  CREATE VIEW extra.seen AS SELECT id, name FROM extra.kept;
  CREATE MATERIALIZED VIEW extra.stored AS SELECT id FROM extra.kept;
  CREATE STATISTICS extra.related ON id, number FROM extra.kept;
  CREATE COLLATION extra.ordered (provider = builtin, locale = 'C');
  CREATE OPERATOR extra.@+ (function = int4pl, leftarg = int, rightarg = int);
  CREATE OPERATOR FAMILY extra.family USING btree;
  CREATE OPERATOR CLASS extra.ints FOR TYPE int USING btree FAMILY extra.family AS
    OPERATOR 1 <, FUNCTION 1 btint4cmp(int, int);
  CREATE CONVERSION extra.latin FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8;
  CREATE EXTENSION file_fdw;
  CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
  CREATE FOREIGN TABLE extra.far (line text) SERVER files OPTIONS (filename '/dev/null');
  CREATE TEXT SEARCH CONFIGURATION extra.words (copy = simple);
  CREATE TEXT SEARCH DICTIONARY extra.dictionary (template = simple);
  CREATE TABLE "Odd ""name""" (id int);
  SELECT lo_create(4242);
  INSERT INTO extra.kept (mood, size, pair, span, name) VALUES ('fine', 1, (1, 2), '[1,3)', 'Ada')`;

/** What the superuser owns beside the system and the members of extensions. */
const LEFT = `SELECT object.type, object.identity FROM pg_depend AS d
  RIGHT JOIN (
    SELECT 'pg_class'::regclass AS class, oid, relowner AS owner FROM pg_class
    UNION ALL SELECT 'pg_proc'::regclass, oid, proowner FROM pg_proc
    UNION ALL SELECT 'pg_type'::regclass, oid, typowner FROM pg_type
    UNION ALL SELECT 'pg_namespace'::regclass, oid, nspowner FROM pg_namespace
    UNION ALL SELECT 'pg_operator'::regclass, oid, oprowner FROM pg_operator
    UNION ALL SELECT 'pg_opclass'::regclass, oid, opcowner FROM pg_opclass
    UNION ALL SELECT 'pg_conversion'::regclass, oid, conowner FROM pg_conversion
    UNION ALL SELECT 'pg_opfamily'::regclass, oid, opfowner FROM pg_opfamily
    UNION ALL SELECT 'pg_collation'::regclass, oid, collowner FROM pg_collation
    UNION ALL SELECT 'pg_statistic_ext'::regclass, oid, stxowner FROM pg_statistic_ext
    UNION ALL SELECT 'pg_ts_config'::regclass, oid, cfgowner FROM pg_ts_config
    UNION ALL SELECT 'pg_ts_dict'::regclass, oid, dictowner FROM pg_ts_dict
    UNION ALL SELECT 'pg_largeobject'::regclass, oid, lomowner FROM pg_largeobject_metadata
  ) AS made ON d.classid = made.class AND d.objid = made.oid AND d.deptype = 'e'
  CROSS JOIN LATERAL pg_identify_object(made.class, made.oid, 0) AS object
  WHERE made.owner = 10 AND made.oid >= 16384 AND d.objid IS NULL ORDER BY 1`;

describe('the cluster of an earlier version, whose superuser the service was', () => {
  const workshop = new Workshop();
  let dataDir: string;
  const logged: string[] = [];
  const open = (): Promise<EmbeddedPostgres> =>
    EmbeddedPostgres.open({ dataDir, log: (message) => logged.push(message) });

  beforeEach(() => {
    dataDir = workshop.dataDir();
    logged.length = 0;
  });
  afterEach(async () => workshop.stop());
  afterAll(async () => workshop.remove());

  const superusers = (url: string): Promise<Record<string, unknown>[]> =>
    query(url, 'SELECT rolname AS name FROM pg_roles WHERE rolsuper OR rolcreaterole OR rolreplication');

  /** Asks the server of the earlier version to stop, and waits for it. */
  async function stopServer(): Promise<void> {
    process.kill((await workshop.server(dataDir))!, 'SIGINT');
    await waitFor('the end of the server', async () => (await workshop.server(dataDir)) === undefined);
  }

  it('keeps all its data and gives it to a role that is no superuser', async () => {
    const earlier = await startEarlierServer(dataDir);
    const account = randomUUID();
    const old = createDataSource({ url: earlier, poolSize: 2, entities: ENTITIES });
    await old.initialize();
    await migrate(old);
    await old.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [account]);
    await old.destroy();
    await query(earlier, EVERYTHING);
    const before = await query(earlier, 'TABLE extra.kept');
    await stopServer();

    const database = await open();
    expect(database.fresh).toBe(false);
    expect(logged).toContainEqual(expect.stringContaining('Upgrading the roles'));
    expect(await superusers(database.url)).toEqual([{ name: 'fairlead_superuser' }]);
    expect(await query(database.url, LEFT)).toEqual([
      { type: 'function', identity: 'fairlead_backup.keep_wal()' },
      { type: 'schema', identity: 'fairlead_backup' },
    ]);
    expect(await query(database.url, 'TABLE extra.kept')).toEqual(before);
    expect(await query(database.url, 'SELECT id, slug FROM accounts')).toEqual([
      { id: account, slug: 'acme' },
    ]);

    // The owner may change and drop what it has.
    await query(
      database.url,
      `ALTER TABLE accounts ADD COLUMN probe int; INSERT INTO extra.kept (mood) VALUES ('bad');
       ALTER TYPE extra.mood ADD VALUE 'better'; CREATE TABLE public.further (); DROP SCHEMA extra CASCADE`,
    );
    await database.close();
    const again = await open();
    expect(await superusers(again.url)).toEqual([{ name: 'fairlead_superuser' }]);
    expect(await query(again.url, 'SELECT slug FROM accounts')).toEqual([{ slug: 'acme' }]);
    await again.close();
    expect(logged.filter((line) => line.startsWith('Upgrading'))).toHaveLength(1);
  });

  it('is upgraded when its server still runs after a kill -9 of everything else', async () => {
    const earlier = await startEarlierServer(dataDir);
    await query(earlier, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const server = await workshop.server(dataDir);
    const [one, two] = await Promise.all([open(), open()]);
    expect(await workshop.server(dataDir)).not.toBe(server);
    expect(one.url).toBe(two.url);
    expect(await query(one.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
    expect(await superusers(one.url)).toEqual([{ name: 'fairlead_superuser' }]);
    await Promise.all([one.close(), two.close()]);
  });

  it('is upgraded after a kill -9 of the server, too', async () => {
    const earlier = await startEarlierServer(dataDir);
    await query(earlier, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await workshop.killServer(dataDir);
    const database = await open();
    expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
    await database.close();
  });

  it('is left alone while a process of that version uses it', async () => {
    const user = new Client({ connectionString: await startEarlierServer(dataDir) });
    await user.connect();
    await user.query('SELECT pg_advisory_lock_shared(7305087142019583)');
    await expect(open()).rejects.toThrow(/earlier version of Fairlead is using.*Stop it/);
    expect((await user.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await user.end();
    await (await open()).close();
  });

  it('may be without a database, which is made', async () => {
    await startEarlierServer(dataDir, false);
    const database = await open();
    await query(database.url, 'CREATE TABLE kept ()');
    expect(await superusers(database.url)).toEqual([{ name: 'fairlead_superuser' }]);
    await database.close();
  });

  it('that an earlier version has tried to use after the upgrade is used by this version again', async () => {
    await (await open()).close();
    const earlier = await serveEarlier(dataDir);
    await expect(query(earlier, 'SELECT 1')).rejects.toMatchObject({ code: '28000' });
    const server = await workshop.server(dataDir);
    const database = await open();
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(await workshop.server(dataDir)).not.toBe(server);
    await database.close();
  });

  it('stays as it was when the upgrade fails, and the error shows no password', async () => {
    const earlier = await startEarlierServer(dataDir);
    await query(earlier, 'CREATE TABLE kept AS SELECT 42 AS answer; CREATE ROLE fairlead_superuser');
    await stopServer();
    const message = await open().then(
      () => 'it started',
      (error: unknown) => String(error),
    );
    expect(message).toMatch(/could not prepare the database[^]*role "fairlead_superuser" already exists/);
    expect(message).not.toContain(new URL(earlier).password);

    await asSuperuser(dataDir, 'DROP ROLE fairlead_superuser');
    const database = await open();
    expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
    expect(await superusers(database.url)).toEqual([{ name: 'fairlead_superuser' }]);
    await database.close();
  });

  it('gets the right to take backups, also from a version that had the roles but not this right', async () => {
    await startEarlierServer(dataDir);
    await stopServer();
    const folder = workshop.folder();
    const take = (name: string): Promise<unknown> =>
      takeBackup({ dataDir, target: join(folder, name), fairlead: 'test', kept: [] });
    await take('first');
    await asSuperuser(
      dataDir,
      'DROP SCHEMA fairlead_backup CASCADE',
      'REVOKE EXECUTE ON FUNCTION pg_backup_start(text, boolean), pg_backup_stop(boolean) FROM fairlead',
    );
    await expect(take('second')).rejects.toThrow(/started by an earlier version.*restart the service/);
    const rules = '# Written by Fairlead, which writes it again before a start when it was changed.\n';
    writeFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), `${rules}local all all scram-sha-256\n`);
    await take('third');
    expect(readdirSync(folder).sort()).toEqual(['first', 'third']);
  });

  it('is upgraded again where the first time was cut short, and when its access rules were changed', async () => {
    await startEarlierServer(dataDir);
    await stopServer();
    await (await open()).close();
    const rules = join(dataDir, 'postgres', 'pg_hba.conf');
    writeFileSync(rules, 'local all all trust\n');
    const database = await open();
    expect(readFileSync(rules, 'utf8')).toMatch(/^#.*\nlocal all all scram-sha-256\n$/);
    expect(await superusers(database.url)).toEqual([{ name: 'fairlead_superuser' }]);
    await database.close();
  });
});
