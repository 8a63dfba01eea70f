import type { Client } from 'pg';
import { requireCluster } from '../embedded/data-dir.js';
import { appliedMigrations, takeMigrationLock } from '../migrations.js';
import {
  type AccountsTable,
  type CatalogTable,
  firesTriggers,
  isOfAccount,
  listSequences,
  listTables,
  ofAccounts,
} from './catalog.js';
import { onServer, sessionOf, type DatabasePlace } from './database-server.js';
import { nameOf, type DumpHeader, type TableRows } from './dump-header.js';
import { notLoaded, accepted, copyRows, FILL_KEYS, matchTables, pair, readInto } from './load-dump.js';
import { type OpenDump, verifyDump } from './read-dump.js';

/** A dump of one account, and the database that it is loaded into. */
export interface AccountLoad extends DatabasePlace {
  readonly path: string;
  readonly table: AccountsTable;
  /** What the account is called there. Default: as in the dump. */
  readonly slug?: string | undefined;
  /** Is told why the load waits. */
  readonly log?: ((message: string) => void) | undefined;
}

/** An account that was loaded. */
export interface LoadedAccount {
  readonly account: NonNullable<DumpHeader['account']>;
  readonly createdAt: string;
  readonly tables: readonly TableRows[];
}

/**
 * What the numbers of a sequence are ahead of those in the dump: more than others take between the two steps
 * of one statement.
 */
const AHEAD = 1000;

/**
 * Loads a dump of one account beside the accounts of a database, which may be served meanwhile, in one
 * transaction. Triggers fire, since they can only be switched off for all accounts. What they write into
 * other tables is replaced by the rows of the dump.
 * @throws Error when the dump is not whole or not of one account; when the database has other migrations than
 *   the dump, or has an account with that id or slug; when it does not take the rows. Nothing is loaded then
 */
export async function loadAccount(options: AccountLoad): Promise<LoadedAccount> {
  const { path, url, dataDir } = options;
  accountOf(path, await verifyDump(path));
  if (url === undefined) await requireCluster(dataDir);
  const load = async (client: Client): Promise<LoadedAccount> => {
    await takeMigrationLock(sessionOf(client), { log: options.log, isShared: true });
    return readInto(client, path, (dump) => loadInto(client, dump, options));
  };
  return onServer(options, (server) =>
    server.connected(load).catch((error: unknown) => {
      throw notLoaded(options, error);
    }),
  );
}

async function loadInto(client: Client, dump: OpenDump, options: AccountLoad): Promise<LoadedAccount> {
  const { header } = dump;
  const dumped = accountOf(options.path, header);
  const account = { id: dumped.id, slug: options.slug ?? dumped.slug };
  requireMigrations(header, await appliedMigrations(sessionOf(client)));
  await requireFree(client, account, options.table);
  const found = ofAccounts(await listTables(client), options.table);
  const tables = matchTables(header, { found, foreign: new Set() });
  await client.query('SET CONSTRAINTS ALL DEFERRED');
  const loaded: TableRows[] = [];
  for (const table of tables) {
    const isFirst = loaded.length === 0;
    // What triggers have written. That in tables with triggers stays, and is found out below. From the row of
    // the account on, which nobody else can have, there are no rows of it but those.
    if (!isFirst && !firesTriggers(table))
      await client.query(`DELETE FROM ${table.sql} WHERE ${isOfAccount(table, account.id)}`);
    const named = { at: table.columns.indexOf(options.table.slug), value: account.slug };
    loaded.push(await copyRows(client, table, isFirst ? withValue(dump.rows(), named) : dump.rows()));
  }
  await accepted('its rows', client.query('SET CONSTRAINTS ALL IMMEDIATE'));
  for (const [at, table] of tables.entries())
    await requireRows(client, table, { id: account.id, rows: loaded[at]?.rows });
  await client.query(FILL_KEYS, [account.id]);
  await raiseSequences(client, header);
  return { account, createdAt: header.createdAt, tables: loaded };
}

/** Returns the account of a dump. @throws Error when it is one of all accounts */
function accountOf(path: string, { account }: DumpHeader): NonNullable<DumpHeader['account']> {
  if (account !== undefined) return account;
  throw new Error(
    `${path} is a dump of a whole installation: load it without --account, into an empty database`,
  );
}

function requireMigrations({ fairlead, migrations }: DumpHeader, present: readonly string[]): void {
  const lacking = migrations.find((name) => !present.includes(name));
  if (lacking !== undefined) {
    throw new Error(
      `The dump was made by Fairlead ${fairlead} with the migration ${lacking}, which the database lacks: run ` +
        '`fairlead migrate` with that version, and the same EXTENSIONS',
    );
  }
  const later = present.find((name) => !migrations.includes(name));
  if (later === undefined) return;
  throw new Error(
    `The database has the migration ${later}, which the dump lacks: dump the account after \`fairlead migrate\` ` +
      'with the version of the database, and the same EXTENSIONS',
  );
}

/** @throws Error naming the account, where one has its id or its slug */
async function requireFree(
  client: Client,
  { id, slug }: LoadedAccount['account'],
  table: AccountsTable,
): Promise<void> {
  const { rows } = await client.query<{ id: string; slug: string }>(
    `SELECT ${table.id} AS id, ${table.slug} AS slug FROM ${table.name} WHERE ${table.id} = $1 OR ${table.slug} = $2`,
    [id, slug],
  );
  const same = rows.find((row) => row.id === id);
  if (same) throw new Error(`The account with the id ${id} is there already, as ${same.slug}`);
  if (rows.length > 0) throw new Error(`There is another account ${slug}: give this one another --slug`);
}

/** Gives the only row of a table with another value in the column with that number. */
async function* withValue(
  rows: AsyncGenerator<Buffer, number>,
  { at, value }: { readonly at: number; readonly value: string },
): AsyncGenerator<Buffer, number> {
  let text = '';
  for (;;) {
    const next = await rows.next();
    if (next.done === true) {
      yield Buffer.from(text.replace(/\n$/, '').split('\t').with(at, value).join('\t') + '\n', 'latin1');
      return next.value;
    }
    text += next.value.toString('latin1');
  }
}

/** @throws Error where a table has other rows of the account than the dump */
async function requireRows(
  client: Client,
  table: CatalogTable,
  { id, rows }: { readonly id: string; readonly rows: number | undefined },
): Promise<void> {
  const { rows: counted } = await client.query<{ n: string }>(
    `SELECT count(*) AS n FROM ${table.sql} WHERE ${isOfAccount(table, id)}`,
  );
  if (counted[0]?.n === String(rows)) return;
  throw new Error(
    `The table ${nameOf(table)} has ${counted[0]?.n} rows of the account, and the dump ${rows}: a trigger of ` +
      'another table has written into it, or the dump has rows of other accounts',
  );
}

/** Keeps later numbers of sequences from being those that the dump has. */
async function raiseSequences(client: Client, { sequences }: DumpHeader): Promise<void> {
  const found = await listSequences(client);
  const foreign = new Set(found.map(({ sql }) => sql));
  for (const [{ value }, { sql }] of pair('sequence', sequences, { found, foreign })) {
    const set = client.query(
      `SELECT setval($1::regclass, $2::bigint + ${AHEAD}) FROM ${sql} WHERE last_value < $2`,
      [sql, value],
    );
    await accepted(`the state of the sequence ${sql}`, set);
  }
}
