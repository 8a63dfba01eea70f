import type { Client } from 'pg';
import { readDatabaseAddress } from '../connection/database-address.js';
import { type MigrationClass, migrationNames } from '../connection/data-source.js';
import { appliedMigrations } from '../migrations.js';
import { reasonOf } from '../errors.js';
import { migrateAt } from '../open-database.js';
import { listSequences, listTables } from './catalog.js';
import { DatabaseServer, sessionOf, type DatabasePlace } from './database-server.js';
import type { DumpHeader, TableRows } from './dump-header.js';
import { FILL_KEYS, loadRows } from './load-rows.js';
import { verifyDump } from './read-dump.js';

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
  const server = await DatabaseServer.open(options);
  try {
    const at = { url: server.url, entities: [], migrations, scramOnly: server.scramOnly };
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
    const job = { path, fresh: made.length === header.migrations.length, foreign };
    const tables = await server.connected((client) => loadRows(client, job));
    const { applied } = await migrateAt(at);
    await server.connected((client) => client.query(FILL_KEYS, [null]));
    await server.connected((client) => client.query('ANALYZE'));
    return { header, tables, applied };
  } catch (error) {
    throw notLoaded(options, error);
  } finally {
    await server.close();
  }
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
