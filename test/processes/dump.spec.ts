import { realpathSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { query } from '../faults/embedded-support.js';
import { EXTENSION_ROWS, writeExtension } from '../support/database/dump-extension.js';
import { demoClient } from '../support/processes/first-start.js';
import { Programs, postgresUrl } from '../support/processes/program.js';
import { tableRows } from '../support/database/table-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { waitFor } from '../support/wait-for.js';

const programs = new Programs();
const databases: TestDatabase[] = [];

afterEach(async () => {
  await programs.end();
  for (const database of databases.splice(0)) await database.drop();
});

async function newDatabase(empty: boolean): Promise<string> {
  const database = await createTestDatabase({ empty });
  databases.push(database);
  return database.url;
}

/** Runs a command that must succeed with `--json`. @returns its document */
async function json(args: readonly string[], env: Record<string, string>): Promise<any> {
  const { code, stdout, stderr } = await programs.cli([...args, '--json'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Runs a command that must fail. @returns what it says */
async function refusal(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await programs.cli(args, env);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

describe('dump and load', () => {
  it('carry every row of every table over, between both kinds of database [contract 5]', async () => {
    const folder = await programs.folderWithData();
    const [dataDir, second, dump] = [join(folder, 'data'), join(folder, 'second'), join(folder, 'dump')];
    const EXTENSIONS = writeExtension(folder);
    const server = programs.server({ DATA_DIR: dataDir, DEMO: 'true', EXTENSIONS }, folder);
    const api = await demoClient(server, await server.listening());
    const [router] = (await api.get('/routers')).body.data;
    for (let n = 0; n < 12; n += 1) {
      const fields = { first_name: `Ada\t${n}\n\\.`, last_name: 'Łovelace 🦀', email: `ada${n}@acme.test` };
      const { body } = await api.post('/contacts', { fields });
      const run = await api.post('/dispatch/router', { router_id: router.id, object_id: body.id });
      expect(run.status).toBe(200);
    }
    const url = postgresUrl(dataDir);
    await query(url, EXTENSION_ROWS);
    // The service adds changes of counts up in the background.
    const rows = await waitFor('counts without changes', async () => {
      const found = await tableRows(url);
      if (found['public.record_count_changes']?.length !== 0) return undefined;
      // The demo prints a link, with which nobody enters a copy. No dump has these.
      expect(found['public.console_links']).toHaveLength(1);
      const apart = { 'public.console_links': [], 'public.processes': expect.any(Array) as string[] };
      return { ...found, 'public.request_counts': [], ...apart };
    });
    // The demo has 300 records and 284 decisions.
    expect(rows).toMatchObject({
      'public.records': { length: 312 },
      'public.assignments': { length: 296 },
      'public.z_parent': { length: 3 },
      'public.audit': { length: 6 },
      'public.seeded': { length: 2 },
    });

    const { tables } = await json(['dump', dump], { DATA_DIR: dataDir });
    expect(tables).toContainEqual({ table: 'records', rows: 312 });
    expect(tables).toContainEqual({ table: 'extra.Odd "name', rows: 1 });
    expect(statSync(dump).mode & 0o777).toBe(0o600);
    expect(await refusal(['dump', dump], { DATA_DIR: dataDir })).toContain(
      `${dump} cannot be written: it exists`,
    );
    symlinkSync(dataDir, join(folder, 'link'));
    for (const inside of [
      join(dataDir, 'dump'),
      join(dataDir, 'postgres', 'dump'),
      join(folder, 'link', 'dump'),
    ]) {
      const refused = await refusal(['dump', inside], { DATA_DIR: dataDir });
      expect(refused).toBe(
        `The dump ${inside} cannot be written inside of the data directory (DATA_DIR), ${realpathSync(dataDir)}\n`,
      );
    }
    expect(await server.stop()).toBe(0);

    const loaded = await json(['load', dump], { DATA_DIR: second, EXTENSIONS });
    expect(loaded).toMatchObject({ loaded: dump, tables, applied: [] });
    const again = programs.server({ DATA_DIR: second, DEMO: 'false', EXTENSIONS }, folder);
    const secondAddress = await again.listening();
    const secondUrl = postgresUrl(second);
    expect(await tableRows(secondUrl)).toEqual(rows);
    // It goes on as the first would have: clients, turns, sequences and triggers.
    const client = await demoClient(server, secondAddress);
    const { body: contact } = await client.post('/contacts', { fields: { first_name: 'Grace' } });
    const next = await client.post('/dispatch/router', { router_id: router.id, object_id: contact.id });
    expect(next.body.reason).toBe('round_robin');
    expect(await query(secondUrl, 'INSERT INTO z_parent DEFAULT VALUES RETURNING id, number, twice')).toEqual(
      [{ id: 4, number: 4, twice: 8 }],
    );
    const fired = await query(secondUrl, 'SELECT text FROM audit');
    expect(
      fired
        .map(({ text }) => text)
        .sort()
        .slice(-8),
    ).toEqual([...Array<string>(4).fill('always'), ...Array<string>(4).fill('noted')]);
    await expect(query(secondUrl, 'TRUNCATE audit_entries')).rejects.toThrow(/never changed or deleted/);
    expect(await again.stop()).toBe(0);

    const [external, other] = [await newDatabase(true), await newDatabase(true)];
    await json(['load', dump], { DATABASE_URL: external, EXTENSIONS });
    expect(await tableRows(external)).toEqual(rows);
    const back = join(folder, 'back');
    await json(['dump', back], { DATABASE_URL: external });
    await json(['load', back], { DATABASE_URL: other, EXTENSIONS });
    expect(await tableRows(other)).toEqual(rows);
    expect(await refusal(['load', back], { DATABASE_URL: external, EXTENSIONS })).toMatch(
      /^The database at .+ \(DATABASE_URL\) was not loaded from .+: .+ empty database only, and the table .+ holds rows/,
    );
    expect(await tableRows(external)).toEqual(rows);
  });
});
