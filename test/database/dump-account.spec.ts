import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { ACCOUNTS_TABLE } from '../../src/accounts/index.js';
import { loadAccount, type LoadedAccount } from '../../src/database/dump/load-account.js';
import { writeDump } from '../../src/database/dump/write-dump.js';
import { migrateAt } from '../../src/database/open-database.js';
import { GradeRecords1999000000000 } from '../support/database/later-migration.js';
import { tableRows } from '../support/database/table-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { wrongCounts } from '../support/database/wrong-counts.js';

const OWNER = 'ada@acme.test';

interface Opened {
  readonly url: string;
  readonly client: Client;
}

describe('a dump of one account', () => {
  const databases: TestDatabase[] = [];
  const clients: Client[] = [];
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairlead-dump-'));
    path = join(folder, 'dump');
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    for (const database of databases.splice(0)) await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<Opened> {
    const made = await createTestDatabase();
    databases.push(made);
    const client = new Client({ connectionString: made.url });
    await client.connect();
    clients.push(client);
    return { url: made.url, client };
  }

  /** Two databases, of which the first has the account that is moved, and each another one. */
  async function pair(): Promise<{ source: Opened; target: Opened; id: string }> {
    const [source, target] = [await open(), await open()];
    for (const { client } of [source, target]) await fill(client, 'other');
    return { source, target, id: await fill(source.client, 'acme') };
  }

  /** Makes an account with records, whose counts are not folded, and an indexed field. @returns its id */
  async function fill(client: Client, slug: string): Promise<string> {
    const id = randomUUID();
    await client.query(`INSERT INTO accounts (id, slug, name, config_version) VALUES ($1, $2, $2, 7)`, [
      id,
      slug,
    ]);
    await client.query(
      `INSERT INTO users (account_id, id, email, email_key) VALUES ($1, gen_random_uuid(), '${OWNER}', '${OWNER}')`,
      [id],
    );
    await addField(client, id, 'city');
    await addRecord(client, id);
    await addRecord(client, id);
    await client.query(
      `INSERT INTO audit_entries SELECT $1, id, now(), 'command', NULL, 'x', 'update', 'user', id, 'x', '[]' FROM users
        WHERE account_id = $1`,
      [id],
    );
    return id;
  }

  const addRecord = (client: Client, id: string): Promise<unknown> =>
    client.query(
      `INSERT INTO records (account_id, object_type, id, fields, created_at, updated_at)
        VALUES ($1, 'contacts', gen_random_uuid(), '{"contact_owner": "${OWNER}", "city": "Oslo"}', now(), now())`,
      [id],
    );

  const addField = (client: Client, id: string, name: string): Promise<unknown> =>
    client.query(
      `INSERT INTO field_definitions (account_id, id, object_type, internal_name, label, type, position, indexed)
        VALUES ($1, gen_random_uuid(), 'contacts', $2, $2, 'string', 1, true)`,
      [id, name],
    );

  const dump = (url: string): Promise<unknown> =>
    writeDump({ url, dataDir: '', path, fairlead: 'test', account: { slug: 'acme', table: ACCOUNTS_TABLE } });

  const load = ({ url }: Opened): Promise<LoadedAccount> =>
    loadAccount({ url, dataDir: '', path, table: ACCOUNTS_TABLE });

  /** Expects that a load is refused, and that no row is other than before. */
  async function expectRefused(target: Opened, message: RegExp): Promise<void> {
    const before = await tableRows(target.url);
    await expect(load(target)).rejects.toThrow(message);
    expect(await tableRows(target.url)).toEqual(before);
  }

  /** The rows of a database that are of an account, or are not, by table. */
  const rowsOf = async (url: string, id: string, isOf = true): Promise<Record<string, string[]>> => {
    const entries = Object.entries(await tableRows(url));
    return Object.fromEntries(
      entries.map(([name, rows]) => [name, rows.filter((row) => row.includes(id) === isOf)]),
    );
  };

  it('has each of its rows once, whatever triggers make of them, and none of others [contract 13]', async () => {
    const { source, target, id } = await pair();
    const [rows, others] = [await rowsOf(source.url, id), await tableRows(target.url)];
    expect(rows).toMatchObject({
      'public.record_count_changes': { length: 4 },
      'public.record_index_keys': { length: 2 },
    });
    await dump(source.url);
    const { tables } = await load(target);
    expect(await rowsOf(target.url, id)).toEqual(rows);
    expect(await rowsOf(target.url, id, false)).toEqual(others);
    // What leads to the account is made anew.
    const { 'public.account_keys': _, ...dumped } = rows;
    const loaded = Object.values(dumped).reduce((sum, { length }) => sum + length, 0);
    expect(tables.reduce((sum, each) => sum + each.rows, 0)).toBe(loaded);
    expect(await wrongCounts(target.url)).toEqual([]);
  });

  it('has ids that no row gets which its database makes later [contract 13]', async () => {
    const { source, target, id } = await pair();
    await source.client.query(`SELECT setval('record_count_changes_id_seq', 5000)`);
    await addField(source.client, id, 'region');
    await addRecord(source.client, id);
    await dump(source.url);
    // The triggers take two during the load, and the next would be that of the dump.
    await target.client.query(`SELECT setval('record_count_changes_id_seq', 4998)`);
    await load(target);
    // Without its number ahead, the record would be refused.
    await addField(target.client, id, 'country');
    await addRecord(target.client, id);
    const { rows } = await target.client.query(
      'SELECT field FROM record_indexes WHERE account_id = $1 ORDER BY field',
      [id],
    );
    expect(rows).toEqual(['city', 'country', 'region'].map((field) => ({ field })));
    expect(await wrongCounts(target.url)).toEqual([]);
  });

  it('leaves the numbers of a database that are ahead of it [contract 13]', async () => {
    const { source, target } = await pair();
    await target.client.query(`SELECT setval('record_count_changes_id_seq', 90000)`);
    await dump(source.url);
    await load(target);
    const { rows } = await target.client.query(
      'SELECT last_value::int AS n FROM record_count_changes_id_seq',
    );
    // The triggers have taken two for the records that they were told of.
    expect(rows).toEqual([{ n: 90_002 }]);
  });

  it('has the rows of tables that extensions have made, with their triggers [contract 13]', async () => {
    const { source, target, id } = await pair();
    for (const { client } of [source, target]) {
      await client.query(
        `CREATE TABLE a_notes (account_id uuid, text text, PRIMARY KEY (account_id, text));
         CREATE TABLE b_scores (account_id uuid REFERENCES accounts, id uuid, n serial, PRIMARY KEY (account_id, id));
         CREATE TABLE own (text text); CREATE TABLE other (account_id int);
         CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN INSERT INTO a_notes VALUES (NEW.account_id, TG_OP || NEW.n); RETURN NEW; END $$;
         CREATE TRIGGER noted AFTER INSERT OR UPDATE ON b_scores FOR EACH ROW EXECUTE FUNCTION note();
         INSERT INTO own VALUES ('own'); INSERT INTO other VALUES (1)`,
      );
    }
    await source.client.query(`INSERT INTO b_scores SELECT id, id FROM accounts`);
    await source.client.query(`UPDATE b_scores SET n = 9`);
    await dump(source.url);
    const { tables } = await load(target);
    expect(tables.filter(({ table }) => ['own', 'other'].includes(table))).toEqual([]);
    const rows = await rowsOf(target.url, id);
    expect(rows).toEqual(await rowsOf(source.url, id));
    expect(rows).toMatchObject({ 'public.a_notes': { length: 2 }, 'public.b_scores': { length: 1 } });
  });

  it('is refused where a trigger writes rows into a table with triggers [contract 13]', async () => {
    const { source, target } = await pair();
    await dump(source.url);
    await target.client.query(
      `CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO teams (account_id, id, name, name_key) VALUES (NEW.account_id, NEW.id, 'More', 'more'); RETURN NEW; END $$;
       CREATE TRIGGER more AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION more()`,
    );
    await expectRefused(
      target,
      /table teams has 1 rows of the account, and the dump 0: a trigger of another table/,
    );
  });

  it('is refused by a database with other migrations, by name [contract 13]', async () => {
    const [{ source, target }, { target: behind }] = [await pair(), await pair()];
    await dump(source.url);
    const migrations = [GradeRecords1999000000000];
    await migrateAt({ url: target.url, entities: [], migrations });
    await expectRefused(
      target,
      /database has the migration GradeRecords1999000000000, which the dump lacks: dump/,
    );
    await migrateAt({ url: source.url, entities: [], migrations });
    rmSync(path);
    await dump(source.url);
    await expectRefused(
      behind,
      /with the migration GradeRecords1999000000000, which the database lacks: run `fairlead/,
    );
  });

  it.each<[string, (text: string, id: string) => string, RegExp]>([
    [
      'a value that the last of its tables does not take',
      (text) => text.replace(/\\\.0\n$/, 'x\n\\.1\n'),
      /does not take the rows of the table router_versions, in line 1: invalid input syntax for type uuid/,
    ],
    [
      'rows of another account',
      (text, id) => text.replace(new RegExp(`^${id}(\\t\\S+\\t${OWNER})`, 'm'), `${randomUUID()}$1`),
      /table users has 0 rows of the account, and the dump 1: .*or the dump has rows of other accounts/,
    ],
  ])('with %s is refused, and nothing of it is loaded [contract 13]', async (_, change, message) => {
    const { source, target, id } = await pair();
    await dump(source.url);
    const text = gunzipSync(readFileSync(path)).toString('latin1');
    expect(change(text, id)).not.toBe(text);
    writeFileSync(path, gzipSync(Buffer.from(change(text, id), 'latin1')));
    await expectRefused(target, message);
  });

  it('is loaded by one of two that begin at once [contract 13]', async () => {
    const { source, target, id } = await pair();
    await dump(source.url);
    const loads = await Promise.allSettled([load(target), load(target)]);
    expect(loads.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(String(loads.find((each) => each.status === 'rejected')?.reason)).toMatch(
      /is there already|duplicate key value violates unique constraint "accounts_/,
    );
    expect(await rowsOf(target.url, id)).toEqual(await rowsOf(source.url, id));
  });
});
