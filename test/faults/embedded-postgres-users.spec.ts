import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import type { Holder } from './embedded-holder.js';
import { Workshop, query } from './embedded-support.js';
import { waitFor } from '../support/wait-for.js';

const HOLDS = `SELECT pid FROM pg_stat_activity WHERE application_name = 'fairlead-hold' ORDER BY pid`;

describe('the users of an embedded PostgreSQL', () => {
  const workshop = new Workshop();
  let project: string;
  let dataDir: string;
  const open = (): Holder => workshop.holder(project, { dataDir });

  beforeAll(() => {
    project = workshop.install(workshop.folder());
  });
  beforeEach(async () => {
    dataDir = await workshop.keptDataDir();
  });
  afterEach(async () => workshop.stop());
  afterAll(async () => workshop.remove());

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
