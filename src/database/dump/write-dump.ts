import { createWriteStream } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { MIGRATION_LOCK } from '../advisory-locks.js';
import { syncDirectory } from '../embedded/sync-directory.js';
import { fileError } from '../file-error.js';
import { ifPresent } from '../if-present.js';
import { type CatalogTable, listMigrations, listSequences, listTables } from './catalog.js';
import { DUMP_FORMAT, nameOf, type DumpHeader } from './dump-format.js';
import { dumpRecords, type TableRows } from './dump-records.js';
import { orderTables } from './order-tables.js';

/** Values are written in forms that every version of PostgreSQL reads. */
const SETTINGS = `SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; SET LOCAL row_security = off`;

/**
 * Writes the rows of all tables, as of one moment, to a file, which gets its name when it is complete.
 * @param client a connection of its own, to be closed afterwards
 * @param fairlead version of this program
 * @returns the number of rows of each table
 * @throws Error when the file exists or cannot be written, or the database has no tables of this service
 */
export async function writeDump(client: Client, path: string, fairlead: string): Promise<TableRows[]> {
  const unfinished = `${path}.unfinished-${process.pid}`;
  await requireFree(path);
  // A migration would change the tables in the middle of the dump. The lock ends with the connection.
  await client.query('SELECT pg_advisory_lock_shared($1)', [MIGRATION_LOCK]);
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${SETTINGS}`);
    const tables = inOrder(await listTables(client));
    const header = await headerOf(client, tables, fairlead);
    const written: TableRows[] = [];
    await pipeline(
      dumpRecords(client, { header, tables, written }),
      createGzip(),
      createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }),
    );
    await client.query('COMMIT');
    await rename(unfinished, path);
    await syncDirectory(dirname(resolve(path)));
    return written;
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw fileError(`The dump ${path} cannot be written`, error);
  }
}

async function requireFree(path: string): Promise<void> {
  if (await ifPresent(lstat(path))) throw new Error(`The dump ${path} cannot be written: it exists already`);
}

function inOrder(tables: readonly CatalogTable[]): readonly CatalogTable[] {
  const order = orderTables(tables);
  if ('ordered' in order) return order.ordered;
  throw new Error(
    `The foreign keys of ${order.circle.map(nameOf).join(', ')} form a circle, so that no order of the tables can be ` +
      'loaded: make one of them DEFERRABLE',
  );
}

async function headerOf(
  client: Client,
  tables: readonly CatalogTable[],
  fairlead: string,
): Promise<DumpHeader> {
  const migrations = await listMigrations(client);
  if (migrations.length === 0)
    throw new Error('The database has no tables of Fairlead: there is nothing to dump');
  const { rows } = await client.query<{ postgres: string; hasObjects: boolean }>(
    `SELECT current_setting('server_version') AS postgres,
       EXISTS (SELECT FROM pg_largeobject_metadata) AS "hasObjects"`,
  );
  if (rows[0]?.hasObjects) throw new Error('The database has large objects, which a dump does not hold');
  return {
    format: DUMP_FORMAT,
    fairlead,
    postgres: rows[0]?.postgres ?? '',
    createdAt: new Date().toISOString(),
    migrations,
    tables: tables.map(({ schema, name, columns }) => ({ schema, name, columns })),
    sequences: (await listSequences(client)).map(({ schema, name, value, isCalled }) => ({
      ...{ schema, name, value, isCalled },
    })),
  };
}
