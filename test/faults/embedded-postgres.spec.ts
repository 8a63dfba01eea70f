import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import type { Holder } from './embedded-holder.js';
import { Workshop, query } from './embedded-support.js';

describe('embedded PostgreSQL', () => {
  const workshop = new Workshop();
  let project: string;
  let dataDir: string;
  const open = (mode = ''): Holder => workshop.holder(project, { dataDir }, { mode });
  const pidFile = (): string => join(dataDir, 'postgres', 'postmaster.pid');

  beforeAll(() => {
    project = workshop.install(workshop.folder());
  });
  beforeEach(() => {
    dataDir = workshop.dataDir();
  });
  afterEach(async () => {
    await workshop.stop();
  });
  afterAll(async () => workshop.remove());

  /** Makes a data directory with one row in its database, and no running server. */
  async function populate(): Promise<void> {
    const database = await EmbeddedPostgres.open({ dataDir });
    await query(database.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await database.close();
  }

  describe('in one process', () => {
    it('makes the database the first time and keeps it', async () => {
      const first = await EmbeddedPostgres.open({ dataDir, maxConnections: 37 });
      expect(first.fresh).toBe(true);
      expect(first.url).toMatch(/^postgres:\/\/fairlead:[\w-]{32}@127\.0\.0\.1:\d+\/fairlead$/);
      expect(first.url).toContain(readFileSync(join(dataDir, 'postgres-password'), 'utf8').trim());
      const [row] = await query(
        first.url,
        `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
           current_setting('listen_addresses') AS address, current_setting('unix_socket_directories') AS sockets,
           current_setting('max_connections') AS connections, current_setting('server_encoding') AS encoding,
           current_setting('password_encryption') AS passwords, datlocprovider AS provider, datlocale AS locale
         FROM pg_database WHERE datname = current_database()`,
      );
      expect(row).toEqual({
        fsync: 'on',
        commit: 'on',
        address: '127.0.0.1',
        sockets: '',
        connections: '37',
        encoding: 'UTF8',
        passwords: 'scram-sha-256',
        provider: 'b',
        locale: 'C.UTF-8',
      });
      const hba = await query(first.url, 'SELECT DISTINCT auth_method AS method FROM pg_hba_file_rules');
      expect(hba).toEqual([{ method: 'scram-sha-256' }]);
      await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await first.close();
      expect(await workshop.server(dataDir)).toBeUndefined();

      const second = await EmbeddedPostgres.open({ dataDir });
      expect(second.fresh).toBe(false);
      expect(await query(second.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
      await second.close();
      expect(existsSync(pidFile())).toBe(false);
    });

    it('leaves only private files in the data directory', async () => {
      await populate();
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
      await populate();
      appendFileSync(join(dataDir, 'postgres', 'postgresql.conf'), '\nno_such_setting = 1\n');
      await expect(EmbeddedPostgres.open({ dataDir })).rejects.toMatchObject({
        name: 'EmbeddedPostgresError',
        message: expect.stringMatching(/did not start \(exit code 1\)[^]*no_such_setting/),
      });
    });

    it('refuses the cluster of another major version, and leaves it alone', async () => {
      await populate();
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
      const holders = [open(), open(), open(), open()];
      const messages = await Promise.all(holders.map(async (holder) => holder.message('open')));
      expect(messages.filter(({ fresh }) => fresh)).toHaveLength(1);
      expect(new Set(messages.map(({ url }) => url)).size).toBe(1);
      await Promise.all(holders.map(async (holder) => holder.close()));
      expect(await workshop.server(dataDir)).toBeUndefined();
    });

    it('serves those that arrive while the last user stops it', async () => {
      await populate();
      for (let round = 0; round < 8; round += 1) {
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
