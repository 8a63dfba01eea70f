import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { errorCode } from '../errors.js';
import { fileError, freeTarget, publishFile } from '../files.js';
import { takeMigrationLock } from '../migrations.js';
import { type CatalogTable, listMigrations, listSequences, listTables } from './catalog.js';
import { DUMP_FORMAT, nameOf, type DumpHeader } from './dump-format.js';
import { dumpRecords, type TableRows } from './dump-records.js';
import { orderTables } from './order-tables.js';

/** Values are written in forms that every version of PostgreSQL reads. */
const SETTINGS = `SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
  SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; SET LOCAL row_security = off`;

/** A dump that is made. */
export interface DumpTarget {
  readonly path: string;
  /** Version of this program. */
  readonly fairlead: string;
  /** Is told why the dump waits. */
  readonly log?: ((message: string) => void) | undefined;
}

/**
 * Writes the rows of all tables, as of one moment, to a file, which gets its name when it is complete.
 * @param client a connection of its own, to be closed afterwards
 * @returns the number of rows of each table
 * @throws Error when the file exists, before anything is read or when it is complete; when it cannot be
 *   written, or the database has no tables of this service
 */
export async function writeDump(client: Client, { path, ...options }: DumpTarget): Promise<TableRows[]> {
  const failure = `The dump ${path} cannot be written`;
  const target = await freeTarget(path, { failure, dataDir: undefined });
  // Others may write a dump of the same name, and a killed one may have left its file.
  const unfinished = `${target}.unfinished-${randomBytes(6).toString('hex')}`;
  let file: Writable | undefined;
  try {
    file = (await open(unfinished, 'wx', 0o600)).createWriteStream({ flush: true });
    const written = await pourDump(client, file, options);
    publishFile(unfinished, target);
    return written;
  } catch (error) {
    file?.destroy();
    if (file) await rm(unfinished, { force: true }).catch(() => undefined);
    if (errorCode(error) === 'EEXIST') throw new Error(`${failure}: it exists already`, { cause: error });
    throw fileError(failure, error);
  }
}

async function pourDump(
  client: Client,
  file: Writable,
  { fairlead, log }: Omit<DumpTarget, 'path'>,
): Promise<TableRows[]> {
  const session = {
    query: async (text: string, values: readonly unknown[]): Promise<unknown> =>
      (await client.query<object>(text, [...values])).rows,
  };
  // A migration would change the tables in the middle of the dump. The lock ends with the connection.
  await takeMigrationLock(session, { log, isShared: true });
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${SETTINGS}`);
  const tables = inOrder(await listTables(client));
  const header = await headerOf(client, tables, fairlead);
  const written: TableRows[] = [];
  await pipeline(dumpRecords(client, { header, tables, written }), createGzip(), file);
  await client.query('COMMIT');
  return written;
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
