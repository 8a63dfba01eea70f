import {
  appendFileSync,
  chmodSync,
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import type { Holder } from './embedded-holder.js';
import { Workshop, query } from './embedded-support.js';
import { storm } from '../support/storm.js';

const ROLES = `SELECT rolname AS name, rolcanlogin AS logs_in,
    array_remove(ARRAY[CASE WHEN rolsuper THEN 'superuser' END, CASE WHEN rolcreaterole THEN 'createrole' END,
      CASE WHEN rolcreatedb THEN 'createdb' END, CASE WHEN rolreplication THEN 'replication' END,
      CASE WHEN rolbypassrls THEN 'bypassrls' END], NULL) AS rights,
    ARRAY(SELECT datname::text FROM pg_database WHERE datdba = role.oid ORDER BY 1) AS owns
  FROM pg_roles AS role WHERE rolname !~ '^pg_' ORDER BY 1`;

/** Returns the families of the sockets that a process listens on. */
function listeningSockets(pid: number): string[] {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  const inodes = open.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
  const listed = (family: string, inode: number, isListening: (columns: string[]) => boolean): string[] =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => inodes.includes(columns[inode] ?? '') && isListening(columns))
      .map(() => family);
  return [
    ...listed('tcp', 9, (columns) => columns[3] === '0A'),
    ...listed('tcp6', 9, (columns) => columns[3] === '0A'),
    // A flag of the kernel says that a socket accepts connections.
    ...listed('unix', 6, (columns) => columns[3] === '00010000'),
  ];
}

describe('embedded PostgreSQL', () => {
  const workshop = new Workshop();
  let project: string;
  let dataDir: string;
  const open = (mode = ''): Holder => workshop.holder(project, { dataDir }, { mode });
  const pidFile = (): string => join(dataDir, 'postgres', 'postmaster.pid');

  beforeAll(() => {
    project = workshop.install(workshop.folder());
  });
  beforeEach(async () => {
    dataDir = await workshop.keptDataDir();
  });
  afterEach(async () => {
    await workshop.stop();
  });
  afterAll(async () => workshop.remove());

  describe('in one process', () => {
    it('makes the database the first time and keeps it', async () => {
      dataDir = workshop.dataDir();
      const first = await EmbeddedPostgres.open({ dataDir });
      expect(first.fresh).toBe(true);
      const password = readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim();
      const host = encodeURIComponent(join(dataDir, 'postgres'));
      expect(first.url).toBe(`postgres://fairlead:${password}@${host}:5432/fairlead`);
      const [row] = await query(
        first.url,
        `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
           current_setting('listen_addresses') AS address,
           current_setting('max_connections') AS connections, current_setting('server_encoding') AS encoding,
           current_setting('password_encryption') AS passwords, datlocprovider AS provider, datlocale AS locale
         FROM pg_database WHERE datname = current_database()`,
      );
      expect(row).toEqual({
        fsync: 'on',
        commit: 'on',
        address: '',
        connections: '200',
        encoding: 'UTF8',
        passwords: 'scram-sha-256',
        provider: 'b',
        locale: 'C.UTF-8',
      });
      await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.close();
      expect(await workshop.server(dataDir)).toBeUndefined();

      const second = await EmbeddedPostgres.open({ dataDir });
      expect(second.fresh).toBe(false);
      expect(await query(second.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
      await second.close();
      expect(existsSync(pidFile())).toBe(false);
    });

    it('listens on a socket that only its owner can reach, and on no port', async () => {
      const database = await EmbeddedPostgres.open({ dataDir });
      const directory = statSync(join(dataDir, 'postgres'));
      const socket = statSync(join(dataDir, 'postgres', '.s.PGSQL.5432'));
      expect(directory.mode & 0o777).toBe(0o700);
      expect([socket.isSocket(), socket.mode & 0o777, socket.uid]).toEqual([true, 0o700, directory.uid]);
      const server = (await workshop.server(dataDir))!;
      expect(listeningSockets(server)).toEqual(['unix']);
      expect(readFileSync(join(dataDir, 'postgres', 'pg_hba.conf'), 'utf8')).toMatch(
        /^#.*\nlocal all all scram-sha-256\n$/,
      );
      await database.close();
      expect(readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('.s.'))).toEqual([]);
    });

    it('serves a role that owns its database and is nothing more', async () => {
      const database = await EmbeddedPostgres.open({ dataDir });
      expect(await query(database.url, ROLES)).toEqual([
        { name: 'fairlead', rights: [], logs_in: true, owns: ['fairlead'] },
        {
          name: 'fairlead_superuser',
          rights: ['superuser', 'createrole', 'createdb', 'replication', 'bypassrls'],
          logs_in: true,
          owns: ['postgres', 'template0', 'template1'],
        },
      ]);
      for (const statement of [
        `COPY (SELECT 1) TO PROGRAM 'true'`,
        `SELECT pg_read_file('PG_VERSION')`,
        `SELECT FROM pg_authid`,
        'CREATE ROLE another',
        'CREATE DATABASE another',
        'ALTER ROLE fairlead SUPERUSER',
        'SET ROLE fairlead_superuser',
        `SELECT pg_create_physical_replication_slot('own', true)`,
        `SELECT pg_backup_start('own')`,
      ]) {
        await expect(query(database.url, statement)).rejects.toMatchObject({ code: '42501' });
      }
      await query(database.url, 'CREATE SCHEMA extra CREATE TABLE more (); CREATE EXTENSION citext');
      // The superuser has no password, so none is right.
      const superuser = new URL(database.url);
      superuser.username = 'fairlead_superuser';
      await expect(query(superuser.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
      await database.close();
    });

    it('uses a private directory elsewhere where its path is too long for a socket', async () => {
      dataDir = await workshop.keptDataDir('d'.repeat(90));
      const [holder, again] = [workshop.holder(project, { dataDir }), workshop.holder(project, { dataDir })];
      const [{ url }, second] = [await holder.message('open'), await again.message('open')];
      expect(second.url).toBe(url);
      const directory = decodeURIComponent(new URL(url).hostname);
      expect(dirname(directory)).toBe(realpathSync(tmpdir()));
      expect(statSync(directory).mode & 0o777).toBe(0o700);
      expect(statSync(directory).uid).toBe(statSync(join(dataDir, 'postgres')).uid);
      await query(url, 'UPDATE kept SET answer = 43');
      await holder.kill();
      await again.kill();
      await workshop.killServer(dataDir);

      const database = await EmbeddedPostgres.open({ dataDir });
      expect(database.url).toBe(url);
      expect(await query(url, 'TABLE kept')).toEqual([{ answer: 43 }]);
      chmodSync(directory, 0o755);
      await expect(EmbeddedPostgres.open({ dataDir })).rejects.toThrow(
        /can be used by other users.*DATA_DIR/,
      );
      chmodSync(directory, 0o700);
      await database.close();
      rmSync(directory, { recursive: true });
    });

    it('leaves the server of a data directory alone that has taken the place of its own', async () => {
      const first = await EmbeddedPostgres.open({ dataDir });
      const old = (await workshop.server(dataDir))!;
      renameSync(join(dataDir, 'postgres'), join(dataDir, 'moved'));
      const second = await EmbeddedPostgres.open({ dataDir });
      expect(second.fresh).toBe(true);
      await first.close();
      expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await second.close();
      process.kill(old, 'SIGKILL');
    });

    it('leaves only private files in the data directory', async () => {
      await (await EmbeddedPostgres.open({ dataDir })).close();
      expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
      const mode = (name: string): number => statSync(join(dataDir, name)).mode & 0o777;
      expect([mode('postgres'), mode('postgres-password'), mode('postgres.log')]).toEqual([
        0o700, 0o600, 0o600,
      ]);
      expect(statSync(join(dataDir, 'postgres-password')).uid).toBe(process.geteuid?.());
    });

    it('can be closed twice, and by one of two users without harm to the other', async () => {
      const [one, two] = await Promise.all([
        EmbeddedPostgres.open({ dataDir }),
        EmbeddedPostgres.open({ dataDir }),
      ]);
      expect(one.url).toBe(two.url);
      await Promise.all([one.close(), one.close()]);
      await one.close();
      expect(await query(two.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await two.close();
      expect(await workshop.server(dataDir)).toBeUndefined();
    });

    it('tells why the server does not start, with its own words', async () => {
      appendFileSync(join(dataDir, 'postgres', 'postgresql.conf'), '\nno_such_setting = 1\n');
      await expect(EmbeddedPostgres.open({ dataDir })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        message: expect.stringMatching(/did not start \(exit code 1\)[^]*no_such_setting/),
      });
    });

    it('refuses the cluster of another major version, and leaves it alone', async () => {
      writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
      await expect(EmbeddedPostgres.open({ dataDir })).rejects.toThrow(
        /PostgreSQL 17.*PostgreSQL 18.*DATA_DIR/,
      );
    });

    it('tells that the password is missing, or is not the right one', async () => {
      const database = await EmbeddedPostgres.open({ dataDir });
      writeFileSync(join(dataDir, 'postgres-password'), 'guess\n');
      await expect(EmbeddedPostgres.open({ dataDir })).rejects.toThrow('does not accept the password');
      rmSync(join(dataDir, 'postgres-password'));
      await expect(EmbeddedPostgres.open({ dataDir })).rejects.toThrow(/postgres-password is missing/);
      await database.close();
    });
  });

  describe('in several processes', () => {
    it('is initialised by exactly one of those that start together', async () => {
      dataDir = workshop.dataDir();
      const holders = [open(), open(), open(), open()];
      const messages = await Promise.all(holders.map(async (holder) => holder.message('open')));
      expect(messages.filter(({ fresh }) => fresh)).toHaveLength(1);
      expect(new Set(messages.map(({ url }) => url)).size).toBe(1);
      await Promise.all(holders.map(async (holder) => holder.close()));
      expect(await workshop.server(dataDir)).toBeUndefined();
    });

    it('serves those that arrive while the last user stops it', async () => {
      for (let round = 0; round < storm(8, 3); round += 1) {
        const leaving = await EmbeddedPostgres.open({ dataDir });
        const [arriving] = await Promise.all([EmbeddedPostgres.open({ dataDir }), leaving.close()]);
        expect(await query(arriving.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
        await arriving.close();
        expect(await workshop.server(dataDir)).toBeUndefined();
      }
    });

    it('survives the Ctrl-C of its terminal until requests are drained', async () => {
      const holder = open();
      await holder.message('open');
      process.kill(-holder.pid, 'SIGINT');
      expect((await holder.message('drained')).rows).toEqual([{ one: 1 }]);
      await holder.exit();
      expect(await workshop.server(dataDir)).toBeUndefined();
    });

    it('lets a process end that forgets to close, and is found by the next', async () => {
      const forgetful = open('forget');
      const { url } = await forgetful.message('open');
      await forgetful.exit();
      expect(forgetful.child.exitCode).toBe(0);
      const next = await EmbeddedPostgres.open({ dataDir });
      expect(next.url).toBe(url);
      await next.close();
      expect(await workshop.server(dataDir)).toBeUndefined();
    });
  });
});
