import { LEFT_OUT } from '../distribute.js';
import { escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { nameOf } from './dump-header.js';

/** A table or a sequence of the database. */
interface CatalogObject {
  /** Null for the schema that holds the table `migrations`. */
  readonly schema: string | null;
  readonly name: string;
  /** Its name in SQL, with the schema. */
  readonly sql: string;
}

/** A table of the database. */
export interface CatalogTable extends CatalogObject {
  /** Without those that are generated. */
  readonly columns: readonly string[];
  /** What a SELECT of its own rows, or those of its partitions, reads from. */
  readonly source: string;
  readonly oid: string;
  /** Ids of the other tables that must be filled before. */
  readonly refersTo: readonly string[];
  /** Statements that switch its triggers off, and on again as they are now. */
  readonly disable: readonly string[];
  readonly enable: readonly string[];
  /** The column that says of which account a row is; null for a table without accounts. */
  readonly accountKey: string | null;
}

/** A sequence of the database. */
interface CatalogSequence extends CatalogObject {
  /** Id of the table that has it as the default of a column; null for none. */
  readonly ownedBy: string | null;
}

/** The table of accounts, and its columns with the id and the slug of an account. */
export interface AccountsTable {
  readonly name: string;
  readonly id: string;
  readonly slug: string;
}

const NAMES = `c.relname::text AS name, format('%I.%I', n.nspname, c.relname) AS sql,
    CASE WHEN n.oid = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('migrations'))
      THEN NULL ELSE n.nspname::text END AS schema`;

/**
 * Leaves out what belongs to PostgreSQL, its extensions, one session, or the table of migrations, what is
 * unlogged: PostgreSQL itself empties that after a crash, and what has the comment LEFT_OUT: in a
 * copy nobody may enter by what was open or ended in the other database.
 */
const OF_THE_SERVICE = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relpersistence = 'p'
    AND obj_description(c.oid, 'pg_class') IS DISTINCT FROM '${LEFT_OUT}'
    AND c.oid IS DISTINCT FROM to_regclass('migrations') AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND (d.deptype = 'e' OR d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass('migrations')))`;

const triggers = (change: string): string =>
  `ARRAY(SELECT format('ALTER TABLE %I.%I %s TRIGGER %I', n.nspname, c.relname, ${change}, tgname)
      FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal AND tgenabled <> 'D')`;

const TABLES = `SELECT ${NAMES}, c.oid::text AS oid,
    CASE c.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END || format('%I.%I', n.nspname, c.relname) AS source,
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      AND attgenerated = '' ORDER BY attnum) AS columns,
    ARRAY(SELECT confrelid::text FROM pg_constraint WHERE conrelid = c.oid AND confrelid <> c.oid
      AND contype = 'f' AND conparentid = 0 AND NOT condeferrable) AS "refersTo",
    ${triggers("'DISABLE'")} AS disable,
    ${triggers("CASE tgenabled WHEN 'A' THEN 'ENABLE ALWAYS' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE' END")} AS enable,
    (SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id'
      AND atttypid = 'uuid'::regtype) AS "accountKey"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${OF_THE_SERVICE} ORDER BY n.nspname, c.relname`;

const SEQUENCES = `SELECT ${NAMES}, (SELECT refobjid::text FROM pg_depend WHERE classid = 'pg_class'::regclass
      AND objid = c.oid AND refclassid = classid AND deptype IN ('a', 'i')) AS "ownedBy"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'S' AND ${OF_THE_SERVICE} ORDER BY n.nspname, c.relname`;

/** Lists the tables by name. */
export async function listTables(client: Client): Promise<CatalogTable[]> {
  return (await client.query<CatalogTable>(TABLES)).rows;
}

/** Lists the sequences by name. */
export async function listSequences(client: Client): Promise<CatalogSequence[]> {
  return (await client.query<CatalogSequence>(SEQUENCES)).rows;
}

/** Returns names of columns as SQL lists them. */
export function listColumns(columns: readonly string[]): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ');
}

/**
 * Returns the tables so that each comes after those that its rows refer to.
 * @throws Error naming those that refer to each other in a circle
 */
export function inOrder(tables: readonly CatalogTable[]): readonly CatalogTable[] {
  const ordered: CatalogTable[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const awaited = new Set(waiting.map(({ oid }) => oid));
    const ready = waiting.filter(({ refersTo }) => refersTo.every((oid) => !awaited.has(oid)));
    if (ready.length === 0) {
      throw new Error(
        `The foreign keys of ${waiting.map(nameOf).join(', ')} form a circle, so that no order of the tables can ` +
          'be loaded: make one of them DEFERRABLE',
      );
    }
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/**
 * Returns the tables that have rows of accounts in the order of a dump of one account: that of the accounts,
 * those with triggers, and the others, into which these write.
 * @throws as `inOrder`
 */
export function ofAccounts(tables: readonly CatalogTable[], { name, id }: AccountsTable): CatalogTable[] {
  const own = tables.filter((table) => table.schema === null && table.name === name);
  const others = tables.filter(({ accountKey }) => accountKey !== null);
  const [fire, rest] = [others.filter(firesTriggers), others.filter((table) => !firesTriggers(table))];
  return [...own.map((table) => ({ ...table, accountKey: id })), ...inOrder([...fire, ...rest])];
}

/** Whether a table has triggers that are on. */
export const firesTriggers = ({ disable }: CatalogTable): boolean => disable.length > 0;

/** The condition that a row is of an account. */
export const isOfAccount = ({ accountKey }: CatalogTable, accountId: string): string =>
  `${escapeIdentifier(accountKey ?? '')} = ${escapeLiteral(accountId)}`;
