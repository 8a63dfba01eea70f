import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createDataSource } from '../../src/database/connection/data-source.js';
import { isUnavailable } from '../../src/database/connection/sqlstate.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { processState } from '../../src/database/embedded/data-dir.js';
import type { Holder } from './embedded-holder.js';
import { Workshop, query } from './embedded-support.js';
import { waitFor } from '../support/wait-for.js';

describe('embedded PostgreSQL, after a crash', () => {
  const workshop = new Workshop();
  const strangers: ChildProcess[] = [];
  let project: string;
  let dataDir: string;
  const open = (): Holder => workshop.holder(project, { dataDir });
  const pidFile = (): string => join(dataDir, 'postgres', 'postmaster.pid');

  beforeAll(() => {
    project = workshop.install(workshop.folder());
  });
  beforeEach(async () => {
    dataDir = await workshop.keptDataDir();
  });
  afterEach(async () => {
    for (const stranger of strangers.splice(0)) stranger.kill('SIGKILL');
    await workshop.stop();
  });
  afterAll(async () => workshop.remove());

  /** Starts a program as the user that runs the server. Returns its process. */
  async function stranger(command: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const child = spawn('/bin/sh', ['-c', command], { uid, gid, env, stdio: ['pipe', 'pipe', 'inherit'] });
    strangers.push(child);
    await once(child, 'spawn');
    return child;
  }

  it('of Node, adopts the server and can stop it', async () => {
    const killed = open();
    const { url } = await killed.message('open');
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
    await query(url, 'UPDATE kept SET answer = 43');
    await killed.kill();
    await workshop.killServer(dataDir);
    expect(existsSync(pidFile())).toBe(true);

    const database = await EmbeddedPostgres.open({ dataDir });
    expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 43 }]);
    await database.close();
  });

  it.each([
    ['another program', 'other', 'echo $$; exec sleep 60'],
    ['another program of the same name', 'other', `exec "$PROGRAMS/postgres" -c 'echo $$; read line'`],
    ['a zombie', 'zombie', 'sleep 0.1 & echo $!; exec sleep 60'],
  ])('is not misled when its process id is that of %s', async (_, state, command) => {
    const programs = workshop.folder();
    symlinkSync('/bin/sh', join(programs, 'postgres'));
    const child = await stranger(command, { PROGRAMS: programs });
    const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
    const pid = Number(chunk.toString());
    const lines = [pid, join(dataDir, 'postgres'), 1_700_000_000, 54_321, '', '127.0.0.1', '  1  1', 'ready'];
    writeFileSync(pidFile(), `${lines.join('\n')}\n`, { mode: 0o600 });
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    chownSync(pidFile(), uid, gid);
    const socketLock = join(dataDir, 'postgres', '.s.PGSQL.5432.lock');
    writeFileSync(socketLock, readFileSync(pidFile()), { mode: 0o600 });
    chownSync(socketLock, uid, gid);
    await waitFor(state, async () => (await processState(pid, join(dataDir, 'postgres'))) === state);
    const database = await EmbeddedPostgres.open({ dataDir });
    expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
    expect(await workshop.server(dataDir)).not.toBe(pid);
    await database.close();
  });

  it('of the machine, is not stopped by a pid file without its text', async () => {
    writeFileSync(pidFile(), '', { mode: 0o600 });
    utimesSync(pidFile(), 1_700_000_000, 1_700_000_000);
    const database = await EmbeddedPostgres.open({ dataDir });
    expect(await query(database.url, 'TABLE kept')).toEqual([{ answer: 42 }]);
    await database.close();
  });

  it('in the middle of the initialisation, starts over', async () => {
    dataDir = workshop.dataDir();
    const killed = open();
    await waitFor('initdb at work', () => {
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

  it('of the server, does not take Node along, which stops it when it ends meanwhile', async () => {
    const holder = open();
    await holder.message('open');
    await workshop.killServer(dataDir);
    await waitFor('word of the loss', () => holder.logged('was lost'));
    await holder.close();
    expect(holder.child.exitCode).toBe(0);
    expect(await workshop.server(dataDir)).toBeUndefined();
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'of the server by %s, is an outage until it is back, under the same address',
    async (signal) => {
      const database = await EmbeddedPostgres.open({ dataDir });
      const pool = createDataSource({ url: database.url, poolSize: 1, entities: [], scramOnly: true });
      await pool.initialize();
      const before = (await workshop.server(dataDir))!;
      process.kill(before, signal);
      await waitFor(
        'another server',
        async () => ![undefined, before].includes(await workshop.server(dataDir)),
      );
      const answer = await waitFor('an answer', () =>
        pool.query('SELECT 1 AS one').catch((error: unknown) => {
          expect([isUnavailable(error), error]).toEqual([true, error]);
          return undefined;
        }),
      );
      expect(answer).toEqual([{ one: 1 }]);
      await pool.destroy();
      await database.close();
      expect(await workshop.server(dataDir)).toBeUndefined();
    },
  );

  it('of the server, again and again, is one outage until the server stays', async () => {
    const holder = open();
    await holder.message('open');
    for (let crash = 0; crash < 3; crash += 1) {
      await workshop.killServer(dataDir);
      await waitFor('another server', async () => (await workshop.server(dataDir)) !== undefined);
    }
    await waitFor('word of the end', () => holder.logged('is back'));
    const said = holder.messages.filter(({ line }) => /was lost|is back/.test(line)).map(({ line }) => line);
    expect(said).toEqual([expect.stringContaining('was lost'), expect.stringContaining('is back')]);
    await holder.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
  });

  it('of a session, which ends all sessions, is still held', async () => {
    const holder = open();
    const { url } = await holder.message('open');
    const holds = `SELECT pid FROM pg_stat_activity WHERE application_name = 'fairlead-hold'`;
    const [before] = await query(url, holds);
    process.kill(before!.pid as number, 'SIGKILL');
    await waitFor('a new hold', async () => {
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
