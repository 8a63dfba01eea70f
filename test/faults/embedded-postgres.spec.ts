import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { processState } from '../../src/database/embedded/process-state.js';
import { type Holder, Workshop, query, until } from './embedded-support.js';

describe('embedded PostgreSQL', () => {
  const workshop = new Workshop();
  const strangers: ChildProcess[] = [];
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
    for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL');
    await workshop.stop();
  });
  afterAll(async () => workshop.remove());

  /** Leaves a data directory with one row in it, and no server. */
  async function populate(): Promise<void> {
    const database = await EmbeddedPostgres.open({ dataDir });
    await query(database.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await database.close();
  }

  /** A running program, as the user that the server runs as, and its process id. */
  async function stranger(command: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const child = spawn('/bin/sh', ['-c', command], { uid, gid, env, stdio: ['pipe', 'pipe', 'inherit'] });
    strangers.push(child);
    await once(child, 'spawn');
    return child;
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

  describe('after a crash', () => {
    it('of Node, adopts the server and can stop it', async () => {
      const killed = open();
      const { url } = await killed.message('open');
      await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      const server = await workshop.server(dataDir);
      await killed.kill();

      const adopter = open();
      expect((await adopter.message('open')).url).toBe(url);
      expect(await workshop.server(dataDir)).toBe(server);
      expect(await query(url, 'TABLE kept')).toEqual([{ answer: 42 }]);
      await adopter.close();
      expect(await workshop.server(dataDir)).toBeUndefined();
    });

    it('of Node and the server, starts again with everything that was committed', async () => {
      const killed = open();
      const { url } = await killed.message('open');
      await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
      await killed.kill();
      await workshop.killServer(dataDir);
      expect(existsSync(pidFile())).toBe(true);

      const database = await EmbeddedPostgres.open({ dataDir });
      expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
      await database.close();
    });

    it.each([
      ['another program', 'other', 'echo $$; exec sleep 60'],
      ['another program of the same name', 'other', `exec "$PROGRAMS/postgres" -c 'echo $$; read line'`],
      ['a zombie', 'zombie', 'sleep 0.1 & echo $!; exec sleep 60'],
    ])('is not misled when its process id is that of %s', async (_, state, command) => {
      await populate();
      const programs = workshop.folder();
      symlinkSync('/bin/sh', join(programs, 'postgres'));
      const child = await stranger(command, { PROGRAMS: programs });
      const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
      const pid = Number(chunk.toString());
      const lines = [
        pid,
        join(dataDir, 'postgres'),
        1_700_000_000,
        54_321,
        '',
        '127.0.0.1',
        '  1  1',
        'ready',
      ];
      writeFileSync(pidFile(), `${lines.join('\n')}\n`, { mode: 0o600 });
      const { uid, gid } = statSync(join(dataDir, 'postgres'));
      chownSync(pidFile(), uid, gid);
      await until(state, async () => (await processState(pid, join(dataDir, 'postgres'))) === state);
      const database = await EmbeddedPostgres.open({ dataDir });
      expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
      expect(await workshop.server(dataDir)).not.toBe(pid);
      await database.close();
    });

    it('of the machine, is not stopped by a pid file without its text', async () => {
      await populate();
      writeFileSync(pidFile(), '', { mode: 0o600 });
      utimesSync(pidFile(), 1_700_000_000, 1_700_000_000);
      const database = await EmbeddedPostgres.open({ dataDir });
      expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
      await database.close();
    });

    it('in the middle of the initialisation, starts over', async () => {
      const killed = open();
      await until('initdb at work', () => {
        const unfinished =
          existsSync(dataDir) && readdirSync(dataDir).find((name) => name.startsWith('postgres.init-'));
        return unfinished && existsSync(join(dataDir, unfinished, 'data', 'base'));
      });
      await killed.kill();
      const database = await EmbeddedPostgres.open({ dataDir });
      expect(database.fresh).toBe(true);
      expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await database.close();
      expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
    });

    it('of the server, does not take Node along', async () => {
      const holder = open();
      await holder.message('open');
      await workshop.killServer(dataDir);
      await until('word of the loss', () => holder.logged('was lost'));
      await holder.close();
      expect(holder.child.exitCode).toBe(0);
    });

    it('of a session, which ends all sessions, is still held', async () => {
      const holder = open();
      const { url } = await holder.message('open');
      const holds = `SELECT pid FROM pg_stat_activity WHERE application_name = 'fairlead-hold'`;
      const [before] = await query(url, holds);
      process.kill(before!.pid as number, 'SIGKILL');
      await until('a new hold', async () => {
        const [now] = await query(url, holds).catch(() => []);
        return now !== undefined && now.pid !== before!.pid;
      });
      const visitor = await EmbeddedPostgres.open({ dataDir });
      await visitor.close();
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await holder.close();
      expect(await workshop.server(dataDir)).toBeUndefined();
    });
  });
});
