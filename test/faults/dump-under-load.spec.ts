// Processes: a dump is made beside a service that is written to.
import { join } from 'node:path';
import { Client } from 'pg';
import type { ApiClient } from '../support/api-client.js';
import { demoClient } from '../support/processes/first-start.js';
import { Programs, postgresUrl } from '../support/processes/program.js';
import { waitFor } from '../support/wait-for.js';
import { query } from './embedded-support.js';

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
      const fields = { first_name: 'Ada', last_name: 'created' };
      const created = await this.api.post('/contacts', { fields });
      if (created.status !== 201) throw new Error(JSON.stringify(created.body));
      const { id } = created.body as { id: string };
      this.acknowledged.set(id, 'created');
      const patched = await this.api.patch(`/contacts/${id}`, { fields: { last_name: 'patched' } });
      if (patched.status !== 200) throw new Error(JSON.stringify(patched.body));
      this.acknowledged.set(id, 'patched');
    }
  }
}

describe('a dump of a service that is being written to', () => {
  const programs = new Programs();
  let writers: Writers | undefined;
  afterEach(async () => {
    // After a failure, they may have met the end of the service.
    await writers?.stop().catch(() => undefined);
    await programs.end();
  });

  it.each([
    { of: 'all accounts', dumped: [], loading: [] },
    { of: 'one account', dumped: ['--account', 'demo'], loading: ['--account'] },
  ])('of $of loads all acknowledged before it, as of one moment [contract 5, contract 13]', async (which) => {
    const folder = await programs.folderWithData();
    const [dataDir, loaded, dump] = [join(folder, 'data'), join(folder, 'loaded'), join(folder, 'dump')];
    const unlimited = { RATE_LIMIT_PER_CLIENT: '0', RATE_LIMIT_PER_ACCOUNT: '0' };
    const server = programs.server({ DATA_DIR: dataDir, DEMO: 'true', ...unlimited }, folder);
    const writer = await demoClient(server, await server.listening());
    const demo = new Set((await query(postgresUrl(dataDir), 'SELECT id FROM records')).map(({ id }) => id));
    const contacts = (await writer.get('/contacts?limit=1')).body.pagination.count as number;
    writers = new Writers(writer);
    await writers.more(200);

    // The dump has its moment, and waits for a table, while the service is written to.
    const holder = new Client({ connectionString: postgresUrl(dataDir) });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE router_versions IN ACCESS EXCLUSIVE MODE');
    const before = writers.now();
    const command = programs.cli(['dump', ...which.dumped, dump, '--json'], { DATA_DIR: dataDir });
    const waits = `SELECT FROM pg_locks WHERE relation = 'router_versions'::regclass AND NOT granted`;
    await waitFor('the dump to wait', async () => (await query(postgresUrl(dataDir), waits)).length === 1);
    await writers.more(200);
    await holder.end();
    expect(await command).toMatchObject({ code: 0, stderr: '' });
    await writers.more(50);
    await writers.stop();
    expect(await server.stop()).toBe(0);

    if (which.loading.length > 0) await programs.cli(['migrate'], { DATA_DIR: loaded });
    expect((await programs.cli(['load', ...which.loading, dump], { DATA_DIR: loaded })).code).toBe(0);
    const again = programs.server({ DATA_DIR: loaded, DEMO: 'false' }, folder);
    const api = await demoClient(server, await again.listening());
    const rows = await query(postgresUrl(loaded), `SELECT id, fields ->> 'last_name' AS name FROM records`);
    const written = rows.filter(({ id }) => !demo.has(id));
    const names = new Map(written.map(({ id, name }) => [String(id), String(name)]));
    const missing = [...before].filter(([id, name]) => ![name, 'patched'].includes(names.get(id) ?? ''));
    expect(missing).toEqual([]);
    expect([...names.keys()].filter((id) => !writers?.acknowledged.has(id))).toEqual([]);
    // Each client had one contact at most that was created and not patched.
    expect([...names.values()].filter((name) => name !== 'patched').length).toBeLessThanOrEqual(CLIENTS);
    expect(names.size).toBeLessThan(writers.acknowledged.size);
    expect((await api.get('/contacts?limit=1')).body.pagination.count).toBe(contacts + names.size);
    expect(await again.stop()).toBe(0);
  });
});
