import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseLsn, walSegments } from '../../src/database/backup/wal-position.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { ApiClient } from '../support/api-client.js';
import { Programs, postgresUrl, type Program } from '../support/program.js';
import { asSuperuser } from '../support/superuser.js';
import { query } from './embedded-support.js';
import { HoldingFile } from './hold-copy.js';
import { waitFor } from '../support/wait-for.js';

// Clusters are copied several times, file by file.
const CLIENTS = 4;

/** Clients that write contacts, and remember which writes were acknowledged. */
class Writers {
  /** Ids of contacts, with the last name that was acknowledged last. */
  readonly acknowledged = new Map<string, string>();
  private stopped = false;
  private readonly running: Promise<void>[];

  constructor(private readonly api: ApiClient) {
    this.running = Array.from({ length: CLIENTS }, () => this.write());
  }

  /** Returns a copy of what is acknowledged now. */
  now(): Map<string, string> {
    return new Map(this.acknowledged);
  }

  /** Waits until that many more contacts are acknowledged. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged.size + count;
    await waitFor(`${count} more contacts`, () => this.acknowledged.size >= wanted);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  private async write(): Promise<void> {
    while (!this.stopped) {
      const created = await this.api.post('/contacts', {
        fields: { first_name: 'Ada', last_name: 'created' },
      });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      const { id } = created.body as { id: string };
      this.acknowledged.set(id, 'created');
      const patched = await this.api.patch(`/contacts/${id}`, { fields: { last_name: 'patched' } });
      if (patched.status !== 200) throw new Error(JSON.stringify(patched.body));
      this.acknowledged.set(id, 'patched');
    }
  }
}

describe('a backup of a service that is being written to', () => {
  const programs = new Programs();
  let writers: Writers | undefined;
  afterEach(async () => {
    // After a failure, they may have met the end of the service.
    await writers?.stop().catch(() => undefined);
    await programs.end();
  });

  async function login(server: Program): Promise<ApiClient> {
    const url = await server.listening();
    const demo = (name: string): string => new RegExp(`${name}: +(\\S+)`).exec(server.stdout)?.[1] ?? '';
    await waitFor('the demo account', () => demo('client_secret') !== '');
    const credentials = { client_id: demo('client_id'), client_secret: demo('client_secret') };
    const { body } = await new ApiClient(url).post('/oauth2/token', credentials);
    return new ApiClient(url, body.access_token);
  }

  it('restores every write acknowledged before it began, over checkpoints and much WAL inside [contract 5]', async () => {
    const folder = programs.folder();
    const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')];
    await (await EmbeddedPostgres.open({ dataDir })).close();
    // A cluster that recycles its WAL at once, and whose service may order checkpoints for this test.
    await asSuperuser(
      dataDir,
      "ALTER SYSTEM SET max_wal_size = '32MB'",
      "ALTER SYSTEM SET min_wal_size = '32MB'",
      'GRANT pg_checkpoint TO fairlead',
      'GRANT EXECUTE ON FUNCTION pg_switch_wal() TO fairlead',
    );
    const unlimited = { RATE_LIMIT_PER_CLIENT: '0', RATE_LIMIT_PER_ACCOUNT: '0' };
    const server = programs.server({ DATA_DIR: dataDir, DEMO: 'true', ...unlimited }, folder);
    const api = await login(server);
    const holding = HoldingFile.in(join(dataDir, 'postgres', 'base'));
    writers = new Writers(api);
    await writers.more(200);

    const before = writers.now();
    const command = programs.cli(['backup', backup, '--json'], { DATA_DIR: dataDir });
    const release = await holding.reached();
    const url = postgresUrl(dataDir);
    for (let cycle = 0; cycle < 6; cycle += 1) {
      await writers.more(20);
      await query(url, 'SELECT pg_switch_wal()');
      await query(url, 'CHECKPOINT');
    }
    const [checkpoint] = await query(url, 'SELECT redo_lsn::text AS redo FROM pg_control_checkpoint()');
    const inside = writers.now();
    expect(existsSync(backup)).toBe(false);
    release();
    const { code, stdout, stderr } = await command;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await writers.more(50);
    await writers.stop();

    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
    const { start, stop } = JSON.parse(stdout);
    expect({ start: manifest.start, stop: manifest.stop }).toEqual({ start, stop });
    const redo = parseLsn(String(checkpoint!['redo']));
    expect(redo > parseLsn(start) && redo < parseLsn(stop)).toBe(true);
    expect(walSegments(manifest).length).toBeGreaterThan(6);
    expect(readdirSync(join(backup, 'data')).sort()).toEqual(['jwt-secret', 'postgres', 'postgres-password']);
    expect(await query(url, 'SELECT slot_name FROM pg_replication_slots')).toEqual([]);
    expect(await server.stop()).toBe(0);

    const restored = join(folder, 'restored');
    const restore = await programs.cli(['restore', backup, '--json'], { DATA_DIR: restored });
    expect({ code: restore.code, document: JSON.parse(restore.stdout) }).toMatchObject({
      code: 0,
      document: { restored: backup, data_dir: restored },
    });
    const again = programs.server({ DATA_DIR: restored, DEMO: 'false' }, folder);
    const client = new ApiClient(await again.listening(), api.token);
    const rows = await query(postgresUrl(restored), `SELECT id, fields ->> 'last_name' AS name FROM records`);
    const names = new Map(rows.map(({ id, name }) => [String(id), String(name)]));
    const missing = (wanted: Map<string, string>): string[] =>
      [...wanted]
        .filter(([id, name]) => !(names.get(id) === name || names.get(id) === 'patched'))
        .map(([id]) => id);
    expect(missing(before)).toEqual([]);
    // The backup is of its end, so what was acknowledged within is there as well.
    expect(missing(inside)).toEqual([]);
    expect([...names.keys()].filter((id) => !writers?.acknowledged.has(id))).toEqual([]);
    // The secret of the tokens is restored too.
    expect((await client.get('/contacts?limit=1')).status).toBe(200);
    expect(await again.stop()).toBe(0);
  });

  it('that is killed leaves no backup, and nothing that keeps WAL or stops the next one [contract 5]', async () => {
    const folder = programs.folder();
    const [dataDir, backup] = [join(folder, 'data'), join(folder, 'backup')];
    const server = programs.server({ DATA_DIR: dataDir, DEMO: 'false' }, folder);
    await server.listening();
    const holding = HoldingFile.in(join(dataDir, 'postgres', 'base'));
    const command = programs.start(['backup', backup], { DATA_DIR: dataDir });
    const release = await holding.reached();
    const slots = (): Promise<unknown[]> =>
      query(postgresUrl(dataDir), 'SELECT temporary, wal_status FROM pg_replication_slots');
    expect(await slots()).toEqual([{ temporary: true, wal_status: 'reserved' }]);
    command.signal('SIGKILL');
    release();
    await command.exit();
    expect(existsSync(backup)).toBe(false);
    await waitFor('the end of the session', async () => (await slots()).length === 0);

    const second = programs.cli(['backup', backup], { DATA_DIR: dataDir });
    (await holding.reached())();
    expect(await second).toMatchObject({ code: 0, stderr: '' });
    expect(await server.stop()).toBe(0);
    const restored = join(folder, 'restored');
    expect((await programs.cli(['restore', backup], { DATA_DIR: restored })).code).toBe(0);
    expect((await programs.cli(['account', 'list'], { DATA_DIR: restored })).code).toBe(0);
  });
});
