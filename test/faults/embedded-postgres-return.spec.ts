import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { postgresOf, postgresUrl, Programs } from '../support/processes/program.js';
import { waitFor } from '../support/wait-for.js';
import { EmbeddedService } from './embedded-service.js';
import { query } from './embedded-support.js';
import { SmallDisk } from './small-disk.js';

const programs = new Programs();
/** Undefined where this user may mount none. */
const disk = SmallDisk.mount(200);

afterEach(async () => {
  await programs.end();
  if (disk === undefined) return;
  const left = postgresOf(join(disk.path, 'data'));
  if (left !== undefined) kill(left);
  disk.free();
});
afterAll(() => disk?.unmount());

const kill = (pid: number): true => process.kill(pid, 'SIGKILL');

const HOLDS = `SELECT pid FROM pg_stat_activity WHERE application_name = 'fairlead-hold'`;

describe('a service whose embedded PostgreSQL is killed', () => {
  it('serves again in the same process, with all that was acknowledged [contract 1, contract 5]', async () => {
    const service = await EmbeddedService.first(programs, await programs.folderWithData());
    const { body } = await service.api.post('/contacts', { fields: { first_name: 'Kept' } });
    for (let round = 0; round < 3; round += 1) {
      const killed = await service.postmaster();
      kill(killed);
      await service.postmaster(killed);
      await service.expectServing();
      expect((await service.api.get(`/contacts/${body.id}`)).body).toMatchObject({
        first_name: 'Kept',
      });
    }
    expect(await service.program.stop()).toBe(0);
    expect(service.program.stderr).toBe('');
  });

  it('serves again beside another one, with a command in the middle [contract 1, contract 5]', async () => {
    const cwd = await programs.folderWithData();
    const dataDir = join(cwd, 'data');
    const one = await EmbeddedService.first(programs, cwd);
    const two = await one.another(programs);
    const killed = await one.postmaster();
    kill(killed);
    const [{ code, stderr }] = await Promise.all([
      programs.process(['account', 'list'], { DATA_DIR: dataDir }),
      one.expectServing(),
      two.expectServing(),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const restarted = await one.postmaster(killed);
    await waitFor('both to hold it', async () => (await query(postgresUrl(dataDir), HOLDS)).length === 2);
    expect((await programs.cli(['account', 'list'], { DATA_DIR: dataDir })).code).toBe(0);
    expect(await one.program.stop()).toBe(0);
    await two.expectServing();
    expect(postgresOf(dataDir)).toBe(restarted);
    expect(await two.program.stop()).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
  });
});

describe('a service that loses its hold on the embedded PostgreSQL', () => {
  it('for longer than a start may take keeps it, whatever a command does [contract 1, contract 5]', async () => {
    const cwd = await programs.folderWithData();
    const dataDir = join(cwd, 'data');
    const service = await EmbeddedService.first(programs, cwd);
    const postmaster = await service.postmaster();
    const client = new Client({ connectionString: postgresUrl(dataDir) });
    await client.connect();
    // It takes no further connection.
    process.kill(postmaster, 'SIGSTOP');
    await client.query(`SELECT pg_terminate_backend(pid) FROM (${HOLDS}) AS holds`);
    await client.end();
    // The attempts have failed for 30 seconds when this is said.
    await waitFor(
      'word of the attempts',
      () => service.program.logs.some(({ msg }) => /not answer/.test(String(msg))),
      120_000,
    );
    process.kill(postmaster, 'SIGCONT');
    await waitFor('readiness', () => service.isReady());
    await waitFor('the hold', async () => (await query(postgresUrl(dataDir), HOLDS)).length === 1);
    const { code } = await programs.cli(['account', 'list'], { DATA_DIR: dataDir });
    expect(code).toBe(0);
    await service.expectServing();
    expect(await service.postmaster()).toBe(postmaster);
    expect(await service.program.stop()).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
  }, 240_000);

  it('while it is suspended starts it again when the last other user has stopped it [contract 5]', async () => {
    const cwd = await programs.folderWithData();
    const dataDir = join(cwd, 'data');
    const service = await EmbeddedService.first(programs, cwd);
    const postmaster = await service.postmaster();
    service.program.signal('SIGSTOP');
    // Its sessions end, so nothing shows that it is there.
    await query(
      postgresUrl(dataDir),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name ~ '^fairlead' AND pid <> pg_backend_pid()`,
    );
    const last = await EmbeddedPostgres.open({ dataDir });
    await last.close();
    expect(postgresOf(dataDir)).toBeUndefined();
    service.program.signal('SIGCONT');
    await service.postmaster(postmaster);
    await service.expectServing();
    expect(await service.program.stop()).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
  });
});

/** What keeps PostgreSQL from starting, and what lets it start again. */
interface Trouble {
  readonly begin: () => Promise<void>;
  readonly end: () => void;
  readonly reason: RegExp;
}

const unusableConfiguration = (dataDir: string): Trouble => {
  const file = join(dataDir, 'postgres', 'postgresql.conf');
  const usable = readFileSync(file, 'utf8');
  return {
    begin: () => {
      appendFileSync(file, '\nno_such_setting = 1\n');
      kill(postgresOf(dataDir)!);
      return Promise.resolve();
    },
    end: () => writeFileSync(file, usable),
    reason: /no_such_setting/,
  };
};

const fullDisk = (dataDir: string): Trouble => ({
  begin: async () => {
    const url = postgresUrl(dataDir);
    disk!.fill();
    await waitFor('PostgreSQL to end, because it cannot write its log of changes', async () => {
      await query(url, `SELECT pg_logical_emit_message(true, '', repeat('x', 1000000))`).catch(() => []);
      return postgresOf(dataDir) === undefined;
    });
  },
  end: () => disk!.free(),
  reason: /did not start/,
});

const FULL_DISK: [string, (dataDir: string) => Trouble] = ['a full disk', fullDisk];

describe('a service whose embedded PostgreSQL ends and cannot be started', () => {
  it.each<[string, (dataDir: string) => Trouble]>([
    ['a configuration that it refuses', unusableConfiguration],
    ...(disk === undefined ? [] : [FULL_DISK]),
  ])('because of %s serves when it can be, and says so once [contract 1, contract 5]', async (_, causeOf) => {
    const cwd = await programs.folderWithData();
    const dataDir = join(causeOf === fullDisk ? disk!.path : cwd, 'data');
    const service = await EmbeddedService.first(programs, cwd, dataDir);
    const { body } = await service.api.post('/contacts', { fields: { first_name: 'Kept' } });
    const trouble = causeOf(dataDir);
    await trouble.begin();
    await waitFor('word of the failure', () => service.outage.length > 1);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { status, headers } = await service.api.get('/health/ready');
      expect({ status, retry: headers.has('retry-after') }).toEqual({ status: 503, retry: true });
    }
    trouble.end();
    await service.expectServing();
    expect((await service.api.get(`/contacts/${body.id}`)).body).toMatchObject({ first_name: 'Kept' });
    await waitFor('word of the end', () => service.outage.length > 2);
    const [lost, failed, back, ...more] = service.outage;
    expect(more).toEqual([]);
    expect(lost).toMatch(/was lost/);
    expect(failed).toMatch(trouble.reason);
    expect(back).toMatch(/is back/);
    expect(await service.program.stop()).toBe(0);
    expect(postgresOf(dataDir)).toBeUndefined();
  });
});

describe('a service that is stopped while its embedded PostgreSQL cannot be started', () => {
  it('ends with 0, without waiting for it [contract 5]', async () => {
    const cwd = await programs.folderWithData();
    const dataDir = join(cwd, 'data');
    const service = await EmbeddedService.first(programs, cwd);
    await unusableConfiguration(dataDir).begin();
    await waitFor('word of the failure', () => service.outage.length > 1);
    expect(await service.program.stop()).toBe(0);
    expect(service.program.stderr).toBe('');
    expect(postgresOf(dataDir)).toBeUndefined();
  });
});

describe('a service whose embedded PostgreSQL can never come back', () => {
  it.each<[string, (dataDir: string, url: string) => Promise<void> | void, RegExp]>([
    [
      'its database was removed',
      (dataDir) => renameSync(join(dataDir, 'postgres'), join(dataDir, 'moved')),
      /postgres was removed/,
    ],
    [
      'another database has taken its place',
      async (dataDir) => {
        renameSync(join(dataDir, 'postgres'), join(dataDir, 'moved'));
        await (await EmbeddedPostgres.open({ dataDir })).close();
      },
      /postgres was replaced/,
    ],
    [
      'its database is that of another major version',
      (dataDir) => writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n'),
      /PostgreSQL 17.*PostgreSQL 18/,
    ],
    [
      'its password is not the right one any more',
      async (_, url) => {
        await query(url, `ALTER ROLE fairlead PASSWORD 'another'`);
      },
      /does not accept the password/,
    ],
  ])('because %s ends with 1 and says why [contract 5]', async (_, spoil, reason) => {
    const cwd = await programs.folderWithData();
    const dataDir = join(cwd, 'data');
    const { program } = await EmbeddedService.first(programs, cwd);
    const postmaster = postgresOf(dataDir)!;
    await spoil(dataDir, postgresUrl(dataDir));
    kill(postmaster);
    await waitFor('the server to end', () => program.ended);
    expect(await program.exit()).toBe(1);
    expect(program.stderr).toMatch(reason);
  });
});
