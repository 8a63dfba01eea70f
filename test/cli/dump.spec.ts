import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { MIGRATION_LOCK } from '../../src/database/connection/advisory-locks.js';
import { ACME } from '../support/configuration.js';
import { Programs } from '../support/processes/program.js';
import { settledRows, tableRows } from '../support/database/table-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { wrongCounts } from '../support/database/wrong-counts.js';
import { people, router, RoutingAccount } from '../support/routing-account.js';
import { is, where } from '../support/search-pages.js';
import { TestService } from '../support/test-service.js';
import { waitFor } from '../support/wait-for.js';
import { query } from '../faults/embedded-support.js';
import { EXTENSION_ROWS, writeExtension } from '../support/database/dump-extension.js';

const programs = new Programs();
const databases: TestDatabase[] = [];

const services: TestService[] = [];

afterEach(async () => {
  await programs.end();
  for (const service of services.splice(0)) await service.stop();
  for (const database of databases.splice(0)) await database.drop();
});

async function newDatabase(empty: boolean): Promise<string> {
  const database = await createTestDatabase({ empty });
  databases.push(database);
  return database.url;
}

async function serve(url: string): Promise<TestService> {
  const service = await TestService.start({ database: { url, drop: () => Promise.resolve() } });
  services.push(service);
  return service;
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
  it('carry every row of every table over [contract 5]', async () => {
    const folder = programs.folder();
    const [first, second, dump] = [await newDatabase(true), await newDatabase(true), join(folder, 'dump')];
    const EXTENSIONS = writeExtension(folder);
    await json(['migrate'], { DATABASE_URL: first, EXTENSIONS });
    const applied = await programs.cli(['apply', '-'], { DATABASE_URL: first, EXTENSIONS }, { input: ACME });
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    await query(first, EXTENSION_ROWS);
    const rows = await tableRows(first);
    expect(rows).toMatchObject({ 'public.users': { length: 3 }, 'public.z_parent': { length: 3 } });
    const { tables } = await json(['dump', dump], { DATABASE_URL: first });
    expect(tables).toContainEqual({ table: 'extra.Odd "name', rows: 1 });
    await json(['load', dump], { DATABASE_URL: second, EXTENSIONS });
    expect(await tableRows(second)).toEqual(rows);
  });

  it('fill a database that has its tables, distributed or not, and go back from there [contract 13]', async () => {
    const [first, second, third] = [
      await newDatabase(true),
      await newDatabase(false),
      await newDatabase(true),
    ];
    await json(['migrate'], { DATABASE_URL: first });
    const served = await serve(first);
    const account = await RoutingAccount.open(served, {
      users: people(['ada', 'bob']),
      fields: [{ object_type: 'contacts', internal_name: 'score', type: 'number', indexed: true }],
      routers: [router('R', {}, { users: people(['ada', 'bob']) })],
    });
    await RoutingAccount.open(served, { users: people(['eve']) });
    expect(await account.turns('R', 3)).toBe('ada bob ada');
    const search = { filter: where(is('score', 'gte', 3)) };
    const found = await account.contact({ score: '3' });
    for (const [from, to, turns] of [
      [first, second, 'bob ada bob'],
      [second, third, 'ada bob ada'],
    ] as const) {
      const dump = join(programs.folder(), 'dump');
      await json(['dump', dump], { DATABASE_URL: from });
      await json(['load', dump], { DATABASE_URL: to });
      expect(await settledRows(to)).toEqual(await settledRows(from));
      const there = account.through(await serve(to));
      expect(await there.turns('R', 3)).toBe(turns);
      const { body } = await there.api.post('/contacts/search', search);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([found]);
      expect(await wrongCounts(to)).toEqual([]);
    }
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

  it('say whom they wait for while a migration runs, and then go on [contract 5]', async () => {
    const [DATABASE_URL, dump] = [await newDatabase(false), join(programs.folder(), 'dump')];
    const client = new Client({ connectionString: DATABASE_URL, application_name: 'a migration' });
    await client.connect();
    try {
      await client.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
      const waiting = programs.start(['dump', dump], { DATABASE_URL });
      await waitFor('the reason', () =>
        /migration .*lock is held by the PostgreSQL process \d+ \(application_name "a migration"/.test(
          waiting.stderr,
        ),
      );
      expect(existsSync(dump)).toBe(false);
      await client.query(`SELECT pg_advisory_unlock(${MIGRATION_LOCK})`);
      expect(await waiting.exit()).toBe(0);
      expect(existsSync(dump)).toBe(true);
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
  });
});
