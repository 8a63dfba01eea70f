import { existsSync, readdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { ApiClient } from '../support/api-client.js';
import { Programs, postgresUrl } from '../support/program.js';
import { tableRows } from '../support/table-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitFor } from '../support/wait-for.js';
import { query } from '../faults/embedded-support.js';
import { EXTENSION_ROWS, writeExtension } from './dump-extension.js';

// Each command starts a process, and many of them a server.
jest.setTimeout(360_000);

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
    const folder = programs.folder();
    const [dataDir, second, dump] = [join(folder, 'data'), join(folder, 'second'), join(folder, 'dump')];
    const EXTENSIONS = writeExtension(folder);
    const server = programs.server({ DATA_DIR: dataDir, DEMO: 'true', EXTENSIONS }, folder);
    const address = await server.listening();
    const demo = (name: string): Promise<string> =>
      waitFor(name, () => new RegExp(`${name}: +(\\S+)`).exec(server.stdout)?.[1]);
    const credentials = { client_id: await demo('client_id'), client_secret: await demo('client_secret') };
    const login = async (url: string): Promise<ApiClient> =>
      new ApiClient(url, (await new ApiClient(url).post('/oauth2/token', credentials)).body.access_token);
    const api = await login(address);
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
      return found['public.owned_count_changes']?.length === 0 ? found : undefined;
    });
    expect(rows).toMatchObject({
      'public.records': { length: 12 },
      'public.assignments': { length: 12 },
      'public.z_parent': { length: 3 },
      'public.audit': { length: 6 },
      'public.seeded': { length: 2 },
    });

    const { tables } = await json(['dump', dump], { DATA_DIR: dataDir });
    expect(tables).toContainEqual({ table: 'records', rows: 12 });
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
    const client = await login(secondAddress);
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

  it('refuse a dump whose tables are not known without their extension, and make no tables then [contract 5]', async () => {
    const folder = programs.folder();
    const [first, second, dump] = [await newDatabase(true), await newDatabase(true), join(folder, 'dump')];
    const EXTENSIONS = writeExtension(folder);
    await json(['migrate'], { DATABASE_URL: first, EXTENSIONS });
    await json(['dump', dump], { DATABASE_URL: first });
    expect(await refusal(['load', dump], { DATABASE_URL: second })).toMatch(
      /migration CreateOdd1764900000000, which this version does not know: .*EXTENSIONS/,
    );
    expect(await tableRows(second)).toEqual({});
    // The migrations of a database that is not fresh may have made these rows, or the service.
    await json(['migrate'], { DATABASE_URL: second, EXTENSIONS });
    expect(await refusal(['load', dump], { DATABASE_URL: second, EXTENSIONS })).toContain(
      'the table seeded holds rows',
    );
  });

  it('are not hindered by a dump that was killed, which leaves one file [contract 5]', async () => {
    const [DATABASE_URL, folder] = [await newDatabase(false), programs.folder()];
    const client = new Client({ connectionString: DATABASE_URL });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
      const killed = programs.start(['dump', join(folder, 'dump')], { DATABASE_URL });
      const unfinished = await waitFor('the dump to write', () => readdirSync(folder)[0]);
      killed.signal('SIGKILL');
      await killed.exit();
      await client.query('ROLLBACK');
      expect(unfinished).toMatch(/^dump\.unfinished-/);
      await json(['dump', join(folder, 'dump')], { DATABASE_URL });
      expect(readdirSync(folder).sort()).toEqual(['dump', unfinished]);
    } finally {
      await client.end();
    }
  });

  it('name the setting or the file that is wrong [contract 5]', async () => {
    const folder = programs.folder();
    const nowhere = { DATA_DIR: join(folder, 'nowhere') };
    const dump = join(folder, 'dump');
    expect(await refusal(['dump', dump], nowhere)).toMatch(
      /no database in the data directory .*\(DATA_DIR\)/,
    );
    expect(await refusal(['load', dump], nowhere)).toBe(
      `Cannot read ${dump}: there is no such file (ENOENT)\n`,
    );
    writeFileSync(dump, 'accounts: []');
    expect(await refusal(['load', dump], nowhere)).toMatch(/not a whole dump made by `fairlead dump`/);
    expect(existsSync(nowhere.DATA_DIR)).toBe(false);
    const empty = { DATABASE_URL: await newDatabase(true) };
    expect(await refusal(['dump', join(folder, 'new')], empty)).toMatch(/no tables of Fairlead/);
    const known = { DATABASE_URL: await newDatabase(false) };
    expect(await refusal(['dump', join(folder, 'no', 'new')], known)).toMatch(
      /new cannot be written: there is no folder for it/,
    );
    const away = { DATABASE_URL: 'postgres://fairlead@127.0.0.1:1/fairlead' };
    expect(await refusal(['dump', join(folder, 'new')], away)).toMatch(
      /database at DATABASE_URL.*ECONNREFUSED/,
    );
    expect(existsSync(join(folder, 'new'))).toBe(false);
    for (const command of [
      ['backup', 'x'],
      ['restore', 'x'],
      ['upgrade', '--old-binaries', 'x'],
    ]) {
      expect(await refusal(command, empty)).toMatch(/DATABASE_URL is set.*pg_basebackup or pg_dump/);
    }
  });
});
