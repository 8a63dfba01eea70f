import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import type { Holder } from './embedded-holder.js';
import { Workshop, query } from './embedded-support.js';
import { waitFor } from '../support/wait-for.js';

const HOLDS = `SELECT pid FROM pg_stat_activity WHERE application_name = 'fairlead-hold' ORDER BY pid`;

describe('the users of an embedded PostgreSQL', () => {
  const workshop = new Workshop();
  const clients: Client[] = [];
  let project: string;
  let dataDir: string;
  const open = (): Holder => workshop.holder(project, { dataDir });

  beforeAll(() => {
    project = workshop.install(workshop.folder());
  });
  beforeEach(async () => {
    dataDir = await workshop.keptDataDir();
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end().catch(() => undefined);
    await workshop.stop();
  });
  afterAll(async () => workshop.remove());

  /** Opens a session of a process that has lost its hold. */
  async function session(url: string, name: string): Promise<Client> {
    const client = new Client({ connectionString: url, application_name: name });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return client;
  }

  it.each(['fairlead 0123abcd', 'fairlead 0123abcd probe', 'fairlead', 'fairlead probe'])(
    'are also those that have lost their hold, and have the session "%s"',
    async (name) => {
      const first = await EmbeddedPostgres.open({ dataDir });
      const server = await workshop.server(dataDir);
      const other = await session(first.url, name);
      await first.close();
      expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await other.end();
      const last = await EmbeddedPostgres.open({ dataDir });
      expect(await workshop.server(dataDir)).toBe(server);
      await last.close();
      expect(await workshop.server(dataDir)).toBeUndefined();
    },
  );

  it('are neither the sessions of the one that closes it, nor those of other programs', async () => {
    const database = await EmbeddedPostgres.open({ dataDir });
    for (const name of [database.sessionName, `${database.sessionName} probe`, 'psql', 'fairlead-hold', '']) {
      await session(database.url, name);
    }
    await database.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
  });

  it('start it once when they lose it together, and all use it again', async () => {
    const holders = [open(), open(), open(), open()];
    const opened = await Promise.all(holders.map(async (holder) => holder.message('open')));
    await workshop.killServer(dataDir);
    await waitFor('all to hold it', async () => {
      const holds = await query(opened[0]!.url, HOLDS).catch(() => []);
      return holds.length === holders.length;
    });
    const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(log.match(/ready to accept connections/g)).toHaveLength(2);
    await Promise.all(holders.map(async (holder) => holder.close()));
    expect(await workshop.server(dataDir)).toBeUndefined();
  });

  it('get it back when another one stops it while their hold is lost', async () => {
    const holder = open();
    const { url } = await holder.message('open');
    const before = await workshop.server(dataDir);
    process.kill(holder.pid, 'SIGSTOP');
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fairlead-hold'`,
    );
    const last = await EmbeddedPostgres.open({ dataDir });
    await last.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
    process.kill(holder.pid, 'SIGCONT');
    await waitFor(
      'another server',
      async () => ![undefined, before].includes(await workshop.server(dataDir)),
    );
    await waitFor('its hold', async () => (await query(url, HOLDS).catch(() => [])).length === 1);
    await holder.close();
    expect(await workshop.server(dataDir)).toBeUndefined();
  });
});
