import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { type MigrationClass } from '../../src/database/connection/data-source.js';
import type { DumpHeader } from '../../src/database/dump/dump-header.js';
import { type LoadedDatabase, loadDump } from '../../src/database/dump/load-dump.js';
import { writeDump } from '../../src/database/dump/write-dump.js';
import { migrateAt } from '../../src/database/open-database.js';
import { GradeRecords1999000000000 } from '../support/database/later-migration.js';
import { tableRows } from '../support/database/table-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { waitFor } from '../support/wait-for.js';

/** Of a release behind this one. */
const LATER = [GradeRecords1999000000000];

describe('a dump of the database', () => {
  const databases: TestDatabase[] = [];
  const clients: Client[] = [];
  /** A database with one account, which no test changes, and its dump. */
  let source: TestDatabase;
  let whole: string;
  let folder: string;
  let path: string;
  beforeAll(async () => {
    source = await createTestDatabase();
    const client = new Client({ connectionString: source.url });
    await client.connect();
    await account(client);
    await client.end();
    whole = mkdtempSync(join(tmpdir(), 'fairlead-dump-'));
    path = join(whole, 'dump');
    await dump(source.url);
  });
  afterAll(async () => {
    await source.drop();
    rmSync(whole, { recursive: true, force: true });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairlead-dump-'));
    path = join(folder, 'dump');
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    for (const database of databases.splice(0)) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A database that is empty, or of this or the later release. @returns its address, and a connection */
  async function database(release: 'none' | 'this' | 'later'): Promise<{ url: string; client: Client }> {
    const made = await createTestDatabase({ empty: release === 'none' });
    databases.push(made);
    if (release === 'later') await migrateAt({ url: made.url, entities: [], migrations: LATER });
    const client = new Client({ connectionString: made.url });
    await client.connect();
    clients.push(client);
    return { url: made.url, client };
  }

  async function dump(url: string): Promise<void> {
    await writeDump({ url, dataDir: '', path, fairlead: 'test' });
  }

  const load = (url: string, migrations: readonly MigrationClass[] = []): Promise<LoadedDatabase> =>
    loadDump({ url, dataDir: '', path, migrations });

  /** Makes dumps, and does something when all of them have come to a table that is locked. */
  async function dumpsAtOnce(count: number, meanwhile: () => void): Promise<PromiseSettledResult<void>[]> {
    const { url, client } = await database('this');
    await client.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const dumps = Promise.allSettled(Array.from({ length: count }, () => dump(url)));
    const observer = new Client({ connectionString: url });
    await observer.connect();
    clients.push(observer);
    const waiting = `SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`;
    await waitFor('the dumps to wait', async () => (await observer.query(waiting)).rowCount === count);
    meanwhile();
    await client.query('COMMIT');
    return dumps;
  }

  it('is written by one of two that get one name, and neither harms the other [contract 5]', async () => {
    const target = await database('this');
    const dumps = await dumpsAtOnce(2, () => expect(readdirSync(folder)).toHaveLength(2));
    expect(dumps.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(String(dumps.find((each) => each.status === 'rejected')?.reason)).toContain(
      `The dump ${path} cannot be written: it exists already`,
    );
    expect(readdirSync(folder)).toEqual(['dump']);
    await load(target.url);
  });

  it('replaces nothing that got its name while it was written [contract 5]', async () => {
    const [outcome] = await dumpsAtOnce(1, () => writeFileSync(path, 'other'));
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/exists already/) },
    });
    expect(readdirSync(folder)).toEqual(['dump']);
    expect(readFileSync(path, 'utf8')).toBe('other');
  });

  /** Puts the dump of `source` into its place. */
  const copyDump = (): void => copyFileSync(join(whole, 'dump'), path);

  /** The header of a dump as JSON. */
  type Header = Omit<DumpHeader, 'sequences'> & { readonly sequences: readonly object[] };

  interface Changed {
    readonly header: (header: Header) => Header;
    /** Of a table, by its place in the header: its rows, and the line with their number. */
    readonly table: (lines: string[], at: number) => string[];
  }

  /** Changes a dump, which is whole again then. */
  function change({ header = (same) => same, table = (same) => same }: Partial<Changed>): void {
    const [first, ...lines] = gunzipSync(readFileSync(path))
      .toString('latin1')
      .split(/(?<=\n)/);
    const tables: string[][] = [[]];
    for (const line of lines) {
      tables.at(-1)?.push(line);
      if (line.startsWith('\\.')) tables.push([]);
    }
    const made = `${JSON.stringify(header(JSON.parse(first!) as Header))}\n`;
    const text = made + tables.flatMap(table).join('');
    writeFileSync(path, gzipSync(Buffer.from(text, 'latin1')));
  }

  const account = (client: Client): Promise<unknown> =>
    client.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [randomUUID()]);

  it.each(['none', 'this'] as const)(
    'that lacks a table of its migrations is refused by a database with the schema of %s release [contract 5]',
    async (present) => {
      const target = await database(present);
      copyDump();
      let left = -1;
      change({
        header: (header) => {
          left = header.tables.findIndex(({ name }) => name === 'users');
          return { ...header, tables: header.tables.toSpliced(left, 1) };
        },
        table: (lines, at) => (at === left ? [] : lines),
      });
      await expect(load(target.url)).rejects.toThrow(
        new RegExp(`^The database .* was not loaded from ${path}: The dump lacks the table users, which`),
      );
      expect(Object.values(await tableRows(target.url)).flat()).toEqual([]);
    },
  );

  it('that lacks a sequence is refused, and so is one whose sequence has an impossible state [contract 5]', async () => {
    const [source, target] = [await database('this'), await database('this')];
    for (const { client } of [source, target]) await client.query('CREATE TABLE numbered (id serial)');
    await account(source.client);
    await dump(source.url);
    const before = readFileSync(path);
    change({ header: (header) => ({ ...header, sequences: [] }) });
    await expect(load(target.url)).rejects.toThrow('The dump lacks the sequence numbered_id_seq, which');
    writeFileSync(path, before);
    change({
      header: (header) => ({
        ...header,
        sequences: header.sequences.map((each) => ({ ...each, value: '0' })),
      }),
    });
    await expect(load(target.url)).rejects.toThrow(
      'The database does not take the state of the sequence numbered_id_seq: setval',
    );
    expect(Object.values(await tableRows(target.url)).flat()).toEqual([]);
  });

  it('is loaded beside the tables of other programs, which keep their rows [contract 5]', async () => {
    const target = await database('none');
    await target.client.query(
      `CREATE TABLE theirs (id serial); INSERT INTO theirs VALUES (7); CREATE SCHEMA other; CREATE TABLE other.one (id int)`,
    );
    copyDump();
    await load(target.url);
    const others = { 'public.theirs': ['(7)'], 'other.one': [] };
    expect(await tableRows(target.url)).toEqual({ ...(await tableRows(source.url)), ...others });
  });

  it('is not loaded into a table of another program that holds rows, and deletes none [contract 5]', async () => {
    const [source, target] = [await database('this'), await database('none')];
    for (const { client } of [source, target]) await client.query('CREATE TABLE theirs (id int)');
    await target.client.query('INSERT INTO theirs VALUES (7)');
    await account(source.client);
    await dump(source.url);
    await expect(load(target.url)).rejects.toThrow(
      'into an empty database only, and the table theirs holds rows',
    );
    expect((await target.client.query('TABLE theirs')).rows).toEqual([{ id: 7 }]);
  });

  it.each<[string, string, RegExp]>([
    [
      'a column too few',
      '00000000-0000-4000-8000-000000000001\n',
      /table accounts, in line 1: missing data for column/,
    ],
    [
      'a value of another type',
      'no-uuid\tacme\n',
      /table accounts, in line 1: invalid input syntax for type uuid/,
    ],
    ['bytes that are no text', '\xff\n', /table accounts, in line 1: invalid byte sequence/],
  ])('whose rows have %s names the file, the table and the line [contract 5]', async (_, rows, said) => {
    const target = await database('this');
    copyDump();
    let of = -1;
    change({
      header: (header) => {
        of = header.tables.findIndex(({ name }) => name === 'accounts');
        return header;
      },
      table: (lines, at) => (at === of ? [rows, lines.at(-1)!] : lines),
    });
    const refused = load(target.url);
    await expect(refused).rejects.toThrow(said);
    await expect(refused).rejects.toThrow(
      `was not loaded from ${path}: The database does not take the rows of the`,
    );
    expect(Object.values(await tableRows(target.url)).flat()).toEqual([]);
  });

  it('is loaded by one of two that begin at once, and the other one deletes nothing [contract 5]', async () => {
    const target = await database('none');
    copyDump();
    const loads = await Promise.allSettled([load(target.url), load(target.url)]);
    expect(loads.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(String(loads.find((each) => each.status === 'rejected')?.reason)).toMatch(
      /into an empty database only/,
    );
    expect(await tableRows(target.url)).toEqual(await tableRows(source.url));
  });

  it('of an older schema gets the later migrations after its rows [contract 5]', async () => {
    const [old, target] = [await database('this'), await database('none')];
    const [account, record] = [randomUUID(), randomUUID()];
    await old.client.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [account]);
    await old.client.query(
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
       VALUES ($1, 'contacts', $2, '{"city": "Oslo"}', now(), now())`,
      [account, record],
    );
    await dump(old.url);
    expect((await load(target.url, LATER)).applied).toEqual(['GradeRecords1999000000000']);
    const { rows } = await target.client.query('SELECT id, grade FROM records');
    expect(rows).toEqual([{ id: record, grade: 'O!' }]);
  });

  it('of an older schema is not loaded into tables that have the later migrations already [contract 5]', async () => {
    const [old, target] = [await database('this'), await database('later')];
    await dump(old.url);
    await expect(load(target.url, LATER)).rejects.toThrow(
      /has the migration GradeRecords1999000000000, which the dump lacks.*without tables/,
    );
  });

  it('is loaded into empty tables of its own schema, and of one that lacks migrations [contract 5]', async () => {
    const [source, same, behind] = [await database('later'), await database('later'), await database('this')];
    await source.client.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [
      randomUUID(),
    ]);
    await dump(source.url);
    const rows = await tableRows(source.url);
    for (const { url } of [same, behind]) {
      await load(url, LATER);
      expect(await tableRows(url)).toEqual(rows);
    }
  });

  it('is of one moment, also where a table can be read only later [contract 5]', async () => {
    const [source, target] = [await database('this'), await database('this')];
    const writer = source.client;
    await writer.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const dumping = dump(source.url);
    const observer = new Client({ connectionString: source.url });
    await observer.connect();
    clients.push(observer);
    await waitFor('the dump to come to the locked table', async () => {
      const { rows } = await observer.query(
        `SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`,
      );
      return rows.length > 0;
    });
    const account = randomUUID();
    await writer.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [account]);
    await writer.query(
      `INSERT INTO users (account_id, id, email, email_key) VALUES ($1, $2, 'ada@acme.test', 'ada@acme.test')`,
      [account, randomUUID()],
    );
    await writer.query('COMMIT');
    await dumping;
    const { tables } = await load(target.url);
    expect(tables.filter(({ rows }) => rows > 0)).toEqual([]);
  });

  it('whose rows break a rule of the database loads nothing [contract 5]', async () => {
    const [source, target] = [await database('this'), await database('this')];
    await source.client.query(`INSERT INTO accounts (id, slug, name) VALUES ($1, 'acme', 'Acme')`, [
      randomUUID(),
    ]);
    await source.client.query(
      `INSERT INTO users (account_id, id, email, email_key) VALUES ($1, $1, 'ada@acme.test', 'ada@acme.test')`,
      [randomUUID()],
    );
    await dump(source.url);
    let of = -1;
    change({
      header: (header) => {
        of = header.tables.findIndex(({ name }) => name === 'users');
        return header;
      },
      table: (lines, at) => (at === of ? [lines[0]!, ...lines.slice(0, -1), '\\.2\n'] : lines),
    });
    await expect(load(target.url)).rejects.toThrow(
      /rows of the table users, in line 2: duplicate key value.*users_(pkey|email_key)/,
    );
    const found = await tableRows(target.url);
    expect(Object.values(found).flat()).toEqual([]);
  });

  it('is not written where foreign keys leave no order, or the rows cannot be read [contract 5]', async () => {
    const { url, client } = await database('this');
    await client.query(
      `CREATE TABLE circle_a (id int PRIMARY KEY); CREATE TABLE circle_b (id int PRIMARY KEY REFERENCES circle_a);
       ALTER TABLE circle_a ADD FOREIGN KEY (id) REFERENCES circle_b`,
    );
    await expect(dump(url)).rejects.toThrow(/foreign keys of circle_a, circle_b form a circle.*DEFERRABLE/);
    await client.query(
      `DROP TABLE circle_a, circle_b; CREATE TABLE hidden (id int); INSERT INTO hidden VALUES (1);
       ALTER TABLE hidden ENABLE ROW LEVEL SECURITY; ALTER TABLE hidden FORCE ROW LEVEL SECURITY`,
    );
    await expect(dump(url)).rejects.toThrow(/row-level security policy for table "hidden"/);
    expect(readdirSync(folder)).toEqual([]);
  });
});
