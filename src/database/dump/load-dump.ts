import { escapeIdentifier, type Client } from 'pg';
import { type CatalogSequence, type CatalogTable, listSequences, listTables } from './catalog.js';
import { RECORD, nameOf, type DumpRecord } from './dump-format.js';
import { LoadedTable } from './loaded-table.js';
import { matchSequences, matchTables } from './match-catalog.js';
import { parseHeader, readRecords } from './read-dump.js';
import { refusedRows } from './refused-rows.js';
import type { TableRows } from './dump-records.js';

/** A dump, and the state of the database that it is loaded into. */
export interface LoadJob {
  readonly path: string;
  /** True when the migrations of the dump were applied for this load, so that all rows are theirs. */
  readonly fresh: boolean;
  /** Names in SQL of tables and sequences that are there and need not be in the dump. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Loads a dump into the empty tables of a database with the same migrations, in one transaction.
 * @param client a connection of its own, to be closed after an error
 * @returns the number of rows of each table
 * @throws Error when the dump is not whole, its tables are not those of the database, these hold rows or do
 *   not take those of the dump; nothing is loaded then
 */
export async function loadDump(client: Client, { path, fresh, foreign }: LoadJob): Promise<TableRows[]> {
  await client.query(`BEGIN; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'`);
  const records = readRecords(path);
  const first = await records.next();
  const header = parseHeader(path, first.done === true ? undefined : first.value);
  const tables = matchTables({ dumped: header.tables, found: await listTables(client), foreign });
  const found = await listSequences(client);
  const sequences = matchSequences({ dumped: header.sequences, found, foreign });
  const own = tables.filter(({ sql }) => !foreign.has(sql));
  await client.query(`LOCK TABLE ${listed(tables)} IN ACCESS EXCLUSIVE MODE`);
  await setTriggers(client, tables, (trigger) => `DISABLE TRIGGER ${trigger}`);
  await emptyTables(client, tables, fresh ? own : []);
  await client.query('SET CONSTRAINTS ALL DEFERRED');
  const loaded = await loadRows(client, tables, records);
  await setSequences(client, sequences);
  // A table with open events of its constraints cannot be altered.
  await orRefused(client.query('SET CONSTRAINTS ALL IMMEDIATE'));
  await setTriggers(client, tables, (trigger, fires) => `ENABLE ${FIRES[fires] ?? ''} TRIGGER ${trigger}`);
  await client.query('COMMIT');
  return loaded;
}

const FIRES: Readonly<Record<string, string>> = { A: 'ALWAYS', R: 'REPLICA' };

const listed = (tables: readonly CatalogTable[]): string => tables.map(({ sql }) => sql).join(', ');

/**
 * Deletes the rows that migrations have made, and makes sure that all tables are empty.
 * @param migrated tables that migrations have just made
 * @throws Error naming one that holds rows
 */
async function emptyTables(
  client: Client,
  tables: readonly CatalogTable[],
  migrated: readonly CatalogTable[],
): Promise<void> {
  if (migrated.length > 0) await client.query(`TRUNCATE ${listed(migrated)}`);
  for (const table of tables) {
    const { rows } = await client.query<{ filled: boolean }>(
      `SELECT EXISTS (SELECT FROM ${table.sql}) AS filled`,
    );
    if (rows[0]?.filled !== true) continue;
    throw new Error(
      `A dump is loaded into an empty database only, and the table ${nameOf(table)} holds rows`,
    );
  }
}

async function setTriggers(
  client: Client,
  tables: readonly CatalogTable[],
  change: (trigger: string, fires: string) => string,
): Promise<void> {
  for (const { sql, triggers } of tables) {
    for (const { name, fires } of triggers) {
      await client.query(`ALTER TABLE ${sql} ${change(escapeIdentifier(name), fires)}`);
    }
  }
}

async function loadRows(
  client: Client,
  tables: readonly CatalogTable[],
  records: AsyncIterable<DumpRecord>,
): Promise<TableRows[]> {
  const loaded: TableRows[] = [];
  let current: LoadedTable | undefined;
  for await (const { kind, content } of records) {
    const table = tables[loaded.length];
    if (table === undefined) throw new Error('The dump holds more tables than its header names');
    current ??= new LoadedTable(client, table);
    if (kind === RECORD.rows) await current.write(content);
    if (kind !== RECORD.tableEnd) continue;
    loaded.push({ table: nameOf(table), rows: await current.end(Number(content.toString())) });
    current = undefined;
  }
  if (loaded.length < tables.length) throw new Error('The dump holds fewer tables than its header names');
  return loaded;
}

async function setSequences(client: Client, sequences: readonly CatalogSequence[]): Promise<void> {
  for (const sequence of sequences) {
    const { sql, value, isCalled } = sequence;
    const set = client.query('SELECT setval($1::regclass, $2, $3)', [sql, value, isCalled]);
    await orRefused(set, `the state of the sequence ${nameOf(sequence)}`);
  }
}

/** @param what see `refusedRows` */
async function orRefused(work: Promise<unknown>, what?: string): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw refusedRows(error, what);
  }
}
