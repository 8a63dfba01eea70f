import type { Client } from 'pg';
import type { DumpedSequence, DumpedTable } from './dump-format.js';
import type { TableReferences } from './order-tables.js';

/** A trigger that fires, and when (`O`, `A` or `R`, as in `pg_trigger`). */
export interface CatalogTrigger {
  readonly name: string;
  readonly fires: string;
}

/** A table of the database. */
export interface CatalogTable extends DumpedTable, TableReferences {
  /** Its name in SQL, with the schema. */
  readonly sql: string;
  readonly isPartitioned: boolean;
  readonly triggers: readonly CatalogTrigger[];
}

/** A sequence of the database. */
export interface CatalogSequence extends DumpedSequence {
  /** Its name in SQL, with the schema. */
  readonly sql: string;
}

const NAMES = `c.relname::text AS name, format('%I.%I', n.nspname, c.relname) AS sql,
    CASE WHEN n.oid = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('migrations'))
      THEN NULL ELSE n.nspname::text END AS schema`;

/**
 * Leaves out what belongs to PostgreSQL, its extensions, one session, or the table of migrations, and what is
 * unlogged: PostgreSQL itself empties that after a crash, and a restored backup has none of it.
 */
const OF_THE_SERVICE = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relpersistence = 'p'
    AND c.oid IS DISTINCT FROM to_regclass('migrations') AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
        AND (d.deptype = 'e' OR d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass('migrations')))`;

const TABLES = `SELECT c.oid::text AS oid, ${NAMES}, c.relkind = 'p' AS "isPartitioned",
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
      AND attgenerated = '' ORDER BY attnum) AS columns,
    ARRAY(SELECT confrelid::oid::text FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f'
      AND conparentid = 0 AND NOT condeferrable) AS "refersTo",
    coalesce((SELECT json_agg(json_build_object('name', tgname, 'fires', tgenabled)) FROM pg_trigger
      WHERE tgrelid = c.oid AND NOT tgisinternal AND tgenabled <> 'D'), '[]') AS triggers
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${OF_THE_SERVICE} ORDER BY n.nspname, c.relname`;

const SEQUENCES = `SELECT ${NAMES} FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'S' AND ${OF_THE_SERVICE} ORDER BY n.nspname, c.relname`;

/** Lists the tables by name. */
export async function listTables(client: Client): Promise<CatalogTable[]> {
  return (await client.query<CatalogTable>(TABLES)).rows;
}

/** Lists the sequences by name, with their state. */
export async function listSequences(client: Client): Promise<CatalogSequence[]> {
  const { rows } = await client.query<Omit<CatalogSequence, 'isCalled' | 'value'>>(SEQUENCES);
  const sequences: CatalogSequence[] = [];
  for (const sequence of rows) {
    const state = await client.query<Pick<DumpedSequence, 'isCalled' | 'value'>>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${sequence.sql}`,
    );
    sequences.push(...state.rows.map((row) => ({ ...sequence, ...row })));
  }
  return sequences;
}

/** Returns the names of the applied migrations, in their order. */
export async function listMigrations(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS present`,
  );
  if (rows[0]?.present !== true) return [];
  const applied = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  return applied.rows.map(({ name }) => name);
}
