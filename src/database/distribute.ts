import type { QueryRunner } from 'typeorm';
import { errorCode } from './errors.js';

/** The comment of a table that dumps leave out. */
export const LEFT_OUT = 'left out of dumps';

/** Oldest major version of Citus that distributes these tables. */
const OLDEST = 12;

/** Parts of a table unless told: enough for as many nodes, each of which may have several. */
export const DEFAULT_SHARDS = 32;

/** Tables with the account of which each node has a copy all the same: they say which account it is. */
const ON_EACH_NODE = ['account_keys'];

/** The version of the extension, and the nodes that may have data; no row without the extension. */
const CITUS = `SELECT split_part(extversion, '.', 1)::int AS major, extversion AS version
  FROM pg_extension WHERE extname = 'citus'`;
const NODES = `SELECT count(*)::int AS nodes FROM pg_dist_node
  WHERE isactive AND noderole = 'primary' AND shouldhaveshards`;

/** Whether something is of no extension of PostgreSQL. */
const isOwn = (oid: string): string =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`;

/** The functions of the schema, as statements that make each anew. */
const FUNCTIONS = `SELECT pg_get_functiondef(p.oid) AS text FROM pg_proc p
  WHERE p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'
    AND ${isOwn('p.oid')} ORDER BY p.oid`;

const DISTRIBUTED = `SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('accounts')) AS yes`;

/**
 * The tables that are not distributed yet, `accounts` first, and the column with the account of each; null
 * for those of which each node has a copy. Tables of extensions of PostgreSQL stay as they are.
 */
const OPEN_TABLES = `SELECT c.oid::regclass::text AS name, a.attname AS key,
    c.reltuples <> 0 OR pg_relation_size(c.oid) > 0 AS has_rows, c.relpersistence = 'u' AS is_unlogged
  FROM pg_class c
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped AND c.relname <> ALL ($1::text[])
    AND a.attname = CASE c.relname WHEN 'accounts' THEN 'id' ELSE 'account_id' END
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)
    AND ${isOwn('c.oid')}
  ORDER BY c.relname <> 'accounts', c.relname`;

interface OpenTable {
  readonly name: string;
  readonly key: string | null;
  readonly has_rows: boolean;
  readonly is_unlogged: boolean;
}

/** What runs statements: a data source of TypeORM, or one of its connections. */
export interface Session {
  /** Runs a statement. @returns its rows */
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Whether the tables of a database are distributed over the nodes of a Citus cluster. */
export async function isDistributed(database: Session): Promise<boolean> {
  if (((await database.query(CITUS)) as unknown[]).length === 0) return false;
  const [found] = (await database.query(DISTRIBUTED)) as { yes: boolean }[];
  return found?.yes === true;
}

/** Whether some tables of a database are distributed, and others, such as those of an extension, are not. */
export async function isPartlyDistributed(database: Session): Promise<boolean> {
  if (!(await isDistributed(database))) return false;
  return ((await database.query(OPEN_TABLES, [ON_EACH_NODE])) as OpenTable[]).length > 0;
}

/**
 * Makes sure that a connection does not lead to a worker of a cluster, which knows neither the lock of
 * migrations nor the comments of tables.
 * @throws Error with advice
 */
export async function requireCoordinator(database: Session): Promise<void> {
  if (((await database.query(CITUS)) as unknown[]).length === 0) return;
  const [group] = (await database.query('SELECT groupid FROM pg_dist_local_group')) as { groupid: number }[];
  if (group?.groupid === 0) return;
  throw new Error(
    'DATABASE_URL leads to a worker of the Citus cluster, and migrations, dumps and loads need its coordinator: set it ' +
      'to the address of that for this command',
  );
}

/**
 * Distributes the tables that are not yet over the nodes of a Citus cluster, by account (contract, section
 * 13). It is one transaction: requests wait meanwhile, and a run that is interrupted has changed nothing. It
 * runs again where requests held tables in another order. The caller has the lock of migrations.
 * @param runner of a migrated database, without time limits for statements
 * @param shards parts into which each table is cut; an account is whole in one. It counts the first time
 * @returns the names of the tables
 * @throws Error that says what is missing: the extension, its version, or nodes
 */
export async function distribute(runner: QueryRunner, shards = DEFAULT_SHARDS): Promise<string[]> {
  await requireCitus(runner);
  for (let attempt = 1; ; attempt++) {
    try {
      return await distributeOnce(runner, shards);
    } catch (error) {
      if (errorCode(error) !== DEADLOCK || attempt === ATTEMPTS) throw error;
    }
  }
}

async function distributeOnce(runner: QueryRunner, shards: number): Promise<string[]> {
  await runner.startTransaction();
  try {
    const tables = (await runner.query(OPEN_TABLES, [ON_EACH_NODE])) as OpenTable[];
    const names = tables.map(({ name }) => name);
    // What DROP TRIGGER asks for, at once: who reads in between would be waited for, and wait for others.
    if (names.length > 0) await runner.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    // Each trigger reads and writes rows of its account alone, which are on the same node. The rows that are
    // there have had their effect: none may see them come to their node.
    await runner.query('SET LOCAL citus.enable_unsafe_triggers = on');
    const triggers = (await runner.query(TRIGGERS, [names])) as { drop: string; create: string }[];
    for (const { drop } of triggers) await runner.query(drop);
    for (const table of tables) {
      try {
        await distributeTable(runner, table, shards);
      } catch (error) {
        throw errorCode(error) === DEADLOCK ? error : unsuitable(table, error as DatabaseError);
      }
    }
    await forgetLocalRows(runner, tables);
    for (const { create } of triggers) await runner.query(create);
    await runner.commitTransaction();
    return names;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  }
}

async function distributeTable(
  runner: QueryRunner,
  { name, key, is_unlogged }: OpenTable,
  shards: number,
): Promise<void> {
  if (is_unlogged) await keepInLog(runner, name);
  if (name === 'accounts') {
    await spreadFunctions(runner);
    await leaveSlugsToKeys(runner);
    await runner.query(FIRST, [name, key, shards]);
  } else if (key === null) await runner.query('SELECT create_reference_table($1)', [name]);
  else await runner.query(OTHERS, [name, key]);
}

type DatabaseError = Error & { readonly detail?: string };

/** What Citus says of a table, with its reason. */
const unsuitable = ({ name }: OpenTable, cause: DatabaseError): Error =>
  new Error(
    `The table ${name} cannot be distributed: ${[cause.message, cause.detail].filter(Boolean).join('. ')}. No table ` +
      'was distributed, and migrations stay applied. docs/extending.md says what tables must be like',
    { cause },
  );

/** The command line reads this file before it loads the driver, which the list of codes needs. */
const DEADLOCK = '40P01';

/** How often it is tried where it and requests wait for each other. */
const ATTEMPTS = 10;

const FIRST = `SELECT create_distributed_table($1, $2, shard_count => $3, colocate_with => 'none')`;
const OTHERS = `SELECT create_distributed_table($1, $2, colocate_with => 'accounts')`;

/**
 * $1 tables. How their triggers are dropped and made, with the function for a cluster where there is one.
 * Those that a release of before needs are not made.
 */
export const TRIGGERS = `SELECT format('DROP TRIGGER %I ON %s', t.tgname, t.tgrelid::regclass) AS drop,
    CASE WHEN p.proname = 'keep_account_key' THEN 'SELECT'
      ELSE replace(pg_get_triggerdef(t.oid), p.proname || '()', COALESCE(c.proname, p.proname) || '()') END AS create
  FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
  LEFT JOIN pg_proc c ON c.pronamespace = p.pronamespace AND c.proname = p.proname || '_on_cluster'
  WHERE t.tgrelid = ANY ($1::text[]::regclass[]) AND NOT t.tgisinternal`;

/** Functions that were made before the extension are on no other node until they are made anew. */
async function spreadFunctions(runner: QueryRunner): Promise<void> {
  for (const { text } of (await runner.query(FUNCTIONS)) as { text: string }[]) await runner.query(text);
}

/** A cluster cannot hold an index to be unique without the account: that of `account_keys` is. */
async function leaveSlugsToKeys(runner: QueryRunner): Promise<void> {
  await runner.query('DROP INDEX accounts_slug_key');
  await runner.query('CREATE INDEX accounts_slug_key ON accounts (slug)');
}

/** What is not in the log of a node cannot move to another one. Dumps still leave it out. */
async function keepInLog(runner: QueryRunner, name: string): Promise<void> {
  await runner.query(`ALTER TABLE ${name} SET LOGGED`);
  await runner.query(`COMMENT ON TABLE ${name} IS '${LEFT_OUT}'`);
}

/** Frees the space of the rows that were here before: the nodes have them now. */
async function forgetLocalRows(runner: QueryRunner, tables: readonly OpenTable[]): Promise<void> {
  for (const { name, has_rows } of tables)
    if (has_rows) await runner.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
}

async function requireCitus(runner: QueryRunner): Promise<void> {
  const [citus] = (await runner.query(CITUS)) as { major: number; version: string }[];
  if (citus === undefined) {
    throw new Error(
      'The database at DATABASE_URL has no extension citus. As a superuser, run CREATE EXTENSION citus in it on ' +
        'each node, and name the workers to it (citus_add_node)',
    );
  }
  if (citus.major < OLDEST)
    throw new Error(`The extension citus has the version ${citus.version}; it must be ${OLDEST} or later`);
  const [found] = (await runner.query(NODES)) as { nodes: number }[];
  if ((found?.nodes ?? 0) === 0)
    throw new Error('The cluster has no node for data: name the workers to it (citus_add_node)');
}
