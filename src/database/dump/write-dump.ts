import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { requireCluster } from '../embedded/data-dir.js';
import { errorCode } from '../errors.js';
import { fileError, freeTarget, publishFile } from '../files.js';
import { appliedMigrations, takeMigrationLock } from '../migrations.js';
import {
  type AccountsTable,
  type CatalogTable,
  inOrder,
  isOfAccount,
  listColumns,
  listSequences,
  listTables,
  ofAccounts,
} from './catalog.js';
import { onServer, sessionOf, type DatabasePlace } from './database-server.js';
import { DUMP_FORMAT, nameOf, type DumpHeader, type TableRows } from './dump-header.js';

/** Values are written in forms that every version of PostgreSQL reads. */
const SETTINGS = `SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; SET LOCAL row_security = off`;

const NEWLINE = 10;

/** A dump that is made. */
export interface DumpOptions extends DatabasePlace {
  readonly path: string;
  /** Version of this program. */
  readonly fairlead: string;
  /** The account whose rows alone it holds, by its slug; those of all unless given. */
  readonly account?: { readonly slug: string; readonly table: AccountsTable } | undefined;
  /** Is told why the dump waits. */
  readonly log?: ((message: string) => void) | undefined;
}

/**
 * Writes the rows of all tables of a database, or those of one account, as of one moment, to a file, which
 * gets its name when it is complete.
 * @returns the number of rows of each table
 * @throws Error when the file exists, before anything is read or when it is complete; when it cannot be
 *   written, or would be inside of the data directory of the database; when the database cannot be used, or
 *   has no tables of this service, or not that account
 */
export async function writeDump(options: DumpOptions): Promise<TableRows[]> {
  const { path, url, dataDir } = options;
  const failure = `The dump ${path} cannot be written`;
  const cluster = url === undefined ? await requireCluster(dataDir) : undefined;
  const target = await freeTarget(path, { failure, dataDir: cluster });
  // Others may write a dump of the same name, and a killed one may have left its file.
  const unfinished = `${target}.unfinished-${randomBytes(6).toString('hex')}`;
  return onServer(options, async (server) => {
    let file: Writable | undefined;
    try {
      const made = (file = (await open(unfinished, 'wx', 0o600)).createWriteStream({ flush: true }));
      const written = await server.connected((client) => pourDump(client, made, options));
      publishFile(unfinished, target);
      return written;
    } catch (error) {
      file?.destroy();
      if (file) await rm(unfinished, { force: true }).catch(() => undefined);
      if (errorCode(error) === 'EEXIST') throw new Error(`${failure}: it exists already`, { cause: error });
      throw fileError(failure, error);
    }
  });
}

async function pourDump(client: Client, file: Writable, options: DumpOptions): Promise<TableRows[]> {
  // A migration would change the tables in the middle of the dump. The lock ends with the connection.
  await takeMigrationLock(sessionOf(client), { log: options.log, isShared: true });
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${SETTINGS}`);
  const written: TableRows[] = [];
  await pipeline(dumpText(client, options, written), createGzip(), file);
  await client.query('COMMIT');
  return written;
}

/** Gives the bytes of a dump as they come. @param written receives the number of rows of each table */
async function* dumpText(
  client: Client,
  options: DumpOptions,
  written: TableRows[],
): AsyncGenerator<Buffer | string> {
  const migrations = await appliedMigrations(sessionOf(client));
  if (migrations.length === 0)
    throw new Error('The database has no tables of Fairlead: there is nothing to dump');
  const all = await listTables(client);
  const account = options.account && (await findAccount(client, options.account));
  const tables = options.account ? ofAccounts(all, options.account.table) : inOrder(all);
  const { fairlead } = options;
  yield `${JSON.stringify(await makeHeader(client, tables, { fairlead, migrations, account }))}\n`;
  for (const table of tables) {
    const { columns, source } = table;
    const where = account ? ` WHERE ${isOfAccount(table, account.id)}` : '';
    const copy: AsyncIterable<Buffer> = client.query(
      copyTo(`COPY (SELECT ${listColumns(columns)} FROM ${source}${where}) TO STDOUT`),
    );
    let rows = 0;
    for await (const chunk of copy) {
      // In the text format, every newline ends a row.
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) rows += 1;
      yield chunk;
    }
    written.push({ table: nameOf(table), rows });
    yield `\\.${rows}\n`;
  }
}

async function findAccount(
  client: Client,
  { slug, table }: NonNullable<DumpOptions['account']>,
): Promise<NonNullable<DumpHeader['account']>> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT ${table.id} AS id FROM ${table.name} WHERE ${table.slug} = $1`,
    [slug],
  );
  if (rows[0] === undefined) throw new Error(`There is no account ${slug}`);
  return { id: rows[0].id, slug };
}

async function makeHeader(
  client: Client,
  tables: readonly CatalogTable[],
  { fairlead, migrations, account }: Pick<DumpHeader, 'fairlead' | 'migrations' | 'account'>,
): Promise<DumpHeader> {
  if ((await client.query('SELECT FROM pg_largeobject_metadata LIMIT 1')).rowCount !== 0)
    throw new Error('The database has large objects, which a dump does not hold');
  const ids = new Set(tables.map(({ oid }) => oid));
  const sequences: DumpHeader['sequences'][number][] = [];
  for (const { schema, name, sql, ownedBy } of await listSequences(client)) {
    if (account !== undefined && !ids.has(ownedBy ?? '')) continue;
    const state = await client.query<{ value: string; isCalled: boolean }>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${sql}`,
    );
    sequences.push(...state.rows.map((row) => ({ schema, name, ...row })));
  }
  return {
    format: DUMP_FORMAT,
    fairlead,
    createdAt: new Date().toISOString(),
    ...(account && { account }),
    migrations,
    tables: tables.map(({ schema, name, columns }) => ({ schema, name, columns })),
    sequences,
  };
}
