import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { readDatabaseAddress } from '../connection/hosts.js';
import { type MigrationClass, migrationNames } from '../connection/data-source.js';
import { appliedMigrations } from '../migrations.js';
import { reasonOf, errorCode } from '../errors.js';
import { migrateAt } from '../open-database.js';
import { listSequences, listTables, type CatalogTable, listColumns } from './catalog.js';
import { onServer, sessionOf, type DatabasePlace, type DatabaseServer } from './database-server.js';
import { type DumpHeader, type TableRows, nameOf } from './dump-header.js';
import { verifyDump, type OpenDump, readDump } from './read-dump.js';

/** A dump, the database that it is loaded into, and the migrations of its extensions. */
export interface LoadOptions extends DatabasePlace {
  readonly path: string;
  readonly migrations: readonly MigrationClass[];
}

/** A database that was loaded. */
export interface LoadedDatabase {
  readonly header: DumpHeader;
  readonly tables: readonly TableRows[];
  /** Names of the migrations that were applied to the loaded rows. */
  readonly applied: readonly string[];
}

/**
 * Loads a dump into an empty database: verifies the dump, applies the migrations that it was made with, loads
 * its rows, and applies the later migrations of this version.
 * @throws Error when the dump is not whole, lacks a table of its migrations, or has migrations that this
 *   version does not know; when the database is not empty or has migrations that the dump lacks; no row is
 *   loaded then
 */
export async function loadDump(options: LoadOptions): Promise<LoadedDatabase> {
  const { path, migrations } = options;
  const header = await verifyDump(path);
  if (header.account !== undefined) {
    throw new Error(
      `${path} is a dump of the account ${header.account.slug} alone: load it with --account, into a database ` +
        'that has the tables of Fairlead',
    );
  }
  const known = migrationNames(migrations);
  const unknown = header.migrations.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `The dump was made by Fairlead ${header.fairlead} with the migration ${unknown}, which this version does not ` +
        'know: use that version or a later one, with the same EXTENSIONS',
    );
  }
  return onServer(options, (server) =>
    loadInto(server, header, options).catch((error: unknown) => {
      throw notLoaded(options, error);
    }),
  );
}

async function loadInto(
  server: DatabaseServer,
  header: DumpHeader,
  { path, migrations }: LoadOptions,
): Promise<LoadedDatabase> {
  const at = { ...server.at, entities: [], migrations };
  const { present, foreign } = await server.connected(inspect);
  const later = present.find((name) => !header.migrations.includes(name));
  if (later !== undefined) {
    throw new Error(
      `The database has the migration ${later}, which the dump lacks: load it into a database without tables, ` +
        'which gets the migrations of the dump first and the later ones after its rows',
    );
  }
  // Others may have migrated the database meanwhile, and filled it.
  const { applied: made } = await migrateAt({ ...at, only: header.migrations });
  const fresh = made.length === header.migrations.length;
  const load = (client: Client): Promise<TableRows[]> =>
    readInto(client, path, (dump) => loadRows(client, dump, { fresh, foreign }));
  const tables = await server.connected(load);
  const { applied } = await migrateAt(at);
  await server.connected((client) => client.query(FILL_KEYS, [null]));
  await server.connected((client) => client.query('ANALYZE'));
  return { header, tables, applied };
}

/**
 * Returns the migrations of a database before it is loaded. Where there are none, its tables are those of
 * other programs.
 */
async function inspect(
  client: Client,
): Promise<{ present: readonly string[]; foreign: ReadonlySet<string> }> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const present = await appliedMigrations(sessionOf(client));
  const found = present.length > 0 ? [] : [...(await listTables(client)), ...(await listSequences(client))];
  await client.query('COMMIT');
  return { present, foreign: new Set(found.map(({ sql }) => sql)) };
}

/** Returns the error of a load with the database and the dump before its message. */
export function notLoaded(options: DatabasePlace & { readonly path: string }, error: unknown): Error {
  const reason = reasonOf(error);
  return new Error(`The database ${whereIs(options)} was not loaded from ${options.path}: ${reason}`, {
    cause: error,
  });
}

/** Says where a database is, for messages: without its user and its password. */
export function whereIs({ url, dataDir }: DatabasePlace): string {
  if (url === undefined) return `in ${dataDir} (DATA_DIR)`;
  const { hosts, at } = readDatabaseAddress(url);
  const { pathname } = new URL(at(hosts[0] ?? ''));
  return `at ${decodeURIComponent(hosts.join(','))}${decodeURIComponent(pathname)} (DATABASE_URL)`;
}

/** The state of a database that a dump is loaded into. */
interface TargetState {
  /** True when the migrations of the dump were applied for this load, so that all rows are theirs. */
  readonly fresh: boolean;
  /** Names in SQL of tables and sequences that are there and need not be in the dump. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Begins a transaction that reads values as a dump writes them. A cluster takes changes of triggers from
 * whoever says that these stay on their node.
 */
const BEGIN_LOAD = `BEGIN; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL citus.enable_unsafe_triggers = on`;

/** $1 account, or null. Makes what leads to accounts, which no dump has: one is loaded under any slug. */
export const FILL_KEYS = 'SELECT fill_account_keys($1)';

/** Values, constraints, and limits of PostgreSQL. */
const REFUSED = /^(22|23|54)/;

/** Reads a dump in a transaction of its own. @param client to be closed after an error */
export async function readInto<T>(
  client: Client,
  path: string,
  work: (dump: OpenDump) => Promise<T>,
): Promise<T> {
  await client.query(BEGIN_LOAD);
  const loaded = await readDump(path, work);
  await client.query('COMMIT');
  return loaded;
}

/**
 * Loads a dump into the empty tables of a database with the same migrations.
 * @returns the number of rows of each table
 * @throws Error when its tables are not those of the database, these hold rows or do not take those of the
 *   dump
 */
async function loadRows(
  client: Client,
  { header, rows }: OpenDump,
  { fresh, foreign }: TargetState,
): Promise<TableRows[]> {
  const tables = matchTables(header, { found: await listTables(client), foreign });
  const sequences = pair('sequence', header.sequences, { found: await listSequences(client), foreign });
  await client.query(`LOCK TABLE ${tables.map(({ sql }) => sql).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  for (const text of tables.flatMap(({ disable }) => disable)) await client.query(text);
  // Rows that the migrations have just made are in the dump, too.
  const own = tables.flatMap(({ sql }) => (foreign.has(sql) ? [] : [sql]));
  if (fresh && own.length > 0) await client.query(`TRUNCATE ${own.join(', ')}`);
  for (const table of tables) await requireEmpty(client, table);
  await client.query('SET CONSTRAINTS ALL DEFERRED');
  const loaded: TableRows[] = [];
  for (const table of tables) {
    loaded.push(await copyRows(client, table, rows()));
  }
  for (const [state, { sql }] of sequences) {
    const set = client.query('SELECT setval($1::regclass, $2, $3)', [sql, state.value, state.isCalled]);
    await accepted(`the state of the sequence ${nameOf(state)}`, set);
  }
  // A table with open events of its constraints cannot be altered.
  await accepted('its rows', client.query('SET CONSTRAINTS ALL IMMEDIATE'));
  for (const text of tables.flatMap(({ enable }) => enable)) await client.query(text);
  return loaded;
}

/**
 * Returns the tables of the database in the order of the dump, with their columns in that order.
 * @throws Error naming one that only the database or only the dump has, or whose columns differ
 */
export function matchTables({ tables }: DumpHeader, present: Present<CatalogTable>): CatalogTable[] {
  return pair('table', tables, present).map(([dumped, match]) => {
    const [wanted, there] = [dumped, match].map(({ columns }) => [...columns].sort().join(', '));
    if (wanted === there) return { ...match, columns: dumped.columns };
    throw new Error(`The table ${nameOf(match)} has the columns ${there}, and in the dump ${wanted}`);
  });
}

type Named = Parameters<typeof nameOf>[0];

/** What a database has, and the names in SQL of those that need not be in the dump. */
interface Present<Found> extends Pick<TargetState, 'foreign'> {
  readonly found: readonly Found[];
}

/** Pairs what a dump holds with what the database has. @throws Error naming one that only one of them has */
export function pair<Dumped extends Named, Found extends Named & { readonly sql: string }>(
  kind: string,
  dumped: readonly Dumped[],
  { found, foreign }: Present<Found>,
): [Dumped, Found][] {
  const names = new Set(dumped.map(nameOf));
  const lacking = found.find((each) => !names.has(nameOf(each)) && !foreign.has(each.sql));
  if (lacking) throw new Error(`The dump lacks the ${kind} ${nameOf(lacking)}, which the database has`);
  const byName = new Map(found.map((each) => [nameOf(each), each]));
  return dumped.map((each) => {
    const match = byName.get(nameOf(each));
    if (match) return [each, match];
    throw new Error(`The database has no ${kind} ${nameOf(each)}, which the dump holds`);
  });
}

async function requireEmpty(client: Client, table: CatalogTable): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM ${table.sql} LIMIT 1`);
  if (rowCount === 0) return;
  throw new Error(`A dump is loaded into an empty database only, and the table ${nameOf(table)} holds rows`);
}

/**
 * Loads rows into a table.
 * @param rows their text, which ends with their number
 * @throws Error when the database does not take them
 */
export function copyRows(
  client: Client,
  table: CatalogTable,
  rows: AsyncGenerator<Buffer, number>,
): Promise<TableRows> {
  return accepted(`the rows of the table ${nameOf(table)}`, copyInto(client, table, rows));
}

async function copyInto(
  client: Client,
  table: CatalogTable,
  rows: AsyncGenerator<Buffer, number>,
): Promise<TableRows> {
  const list = table.columns.length === 0 ? '' : ` (${listColumns(table.columns)})`;
  const copy = client.query(copyFrom(`COPY ${table.sql}${list} FROM STDIN`));
  let expected = 0;
  await pipeline(async function* () {
    expected = yield* rows;
  }, copy);
  if (copy.rowCount === expected) return { table: nameOf(table), rows: expected };
  throw new Error(`The table ${nameOf(table)} got ${copy.rowCount} rows of ${expected} in the dump`);
}

/** Waits for work. @throws its error, which names `what` where the database does not take that */
export async function accepted<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || !REFUSED.test(errorCode(error) ?? '')) throw error;
    // Where a row comes from: `COPY users, line 3, column id: "x"`.
    const [, line] = /\bline (\d+)/.exec((error as { readonly where?: string }).where ?? '') ?? [];
    const place = line === undefined ? '' : `, in line ${line}`;
    throw new Error(`The database does not take ${what}${place}: ${error.message}`, { cause: error });
  }
}
