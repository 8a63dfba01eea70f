import type { Client } from 'pg';
import { REFERENCE_TABLES } from './lists.js';

/** A table of the schema. */
export interface Table {
  readonly name: string;
  /** The number of the column that it is distributed by; undefined for a reference table. */
  readonly account?: string;
}

/** A function, as pg_proc has it. */
export interface CalledFunction {
  readonly name: string;
  /** Immutable, stable or volatile. */
  readonly volatility: 'i' | 's' | 'v';
  /** The tables of accounts in its body. */
  readonly reads?: string;
}

/** What the judge knows of a database. All keys are oids. */
export interface Catalog {
  readonly tables: ReadonlyMap<string, Table>;
  readonly functions: ReadonlyMap<string, CalledFunction>;
  /** The functions that read and write values of a type as text. */
  readonly types: ReadonlyMap<string, { readonly input: string; readonly output: string }>;
}

/** The tables of a database, with the column that they are distributed by; null for a reference table. */
const TABLES = `SELECT c.oid, c.relname AS name, a.attnum AS account FROM pg_class c
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
    AND a.attname = CASE c.relname WHEN 'accounts' THEN 'id' ELSE 'account_id' END
    AND c.relname <> ALL ('{${Object.keys(REFERENCE_TABLES).join()}}')
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`;
const TABLES_AS_TEXT = `SELECT oid::text, name, account::text FROM (${TABLES}) AS t`;

const FUNCTIONS = `SELECT oid::text, proname AS name, provolatile AS volatility,
  CASE WHEN pronamespace = 'public'::regnamespace THEN prosrc END AS body FROM pg_proc`;
const TYPES = 'SELECT oid::text, typinput::oid::text AS input, typoutput::oid::text AS output FROM pg_type';

/**
 * Unique indexes without the column that the table is distributed by, and foreign keys that do not lead from
 * it to that of the other table.
 */
const KEYS = `WITH t AS (${TABLES})
  SELECT 'unique index ' || i.indexrelid::regclass AS name FROM pg_index i JOIN t ON t.oid = i.indrelid
  WHERE i.indisunique AND t.account IS NOT NULL AND t.account <> ALL (i.indkey)
  UNION ALL
  SELECT 'foreign key ' || k.conname || ' of ' || t.name FROM pg_constraint k
  JOIN t ON t.oid = k.conrelid JOIN t AS other ON other.oid = k.confrelid
  WHERE k.contype = 'f' AND k.conparentid = 0 AND NOT EXISTS (
    SELECT FROM unnest(k.conkey, k.confkey) AS pair (here, there)
    WHERE pair.here = t.account AND pair.there = other.account)`;

async function byOid<Row extends { oid: string }>(client: Client, text: string): Promise<Map<string, Row>> {
  const { rows } = await client.query<Row>(text);
  return new Map(rows.map((row) => [row.oid, row]));
}

interface FunctionRow extends CalledFunction {
  readonly oid: string;
  readonly body: string | null;
}

/** Reads what the judge knows of the database of a session. */
export async function readCatalog(client: Client): Promise<Catalog> {
  const tables = await byOid<{ oid: string; name: string; account: string | null }>(client, TABLES_AS_TEXT);
  const functions = await byOid<FunctionRow>(client, FUNCTIONS);
  const readsOf = ({ body }: FunctionRow): string =>
    [...tables.values()]
      .filter(({ name, account }) => account !== null && new RegExp(`\\b${name}\\b`).test(body ?? ''))
      .map(({ name }) => name)
      .join(', ');
  return {
    tables: new Map(
      [...tables].map(([oid, { name, account }]) => [oid, account === null ? { name } : { name, account }]),
    ),
    functions: new Map(
      [...functions].map(([oid, row]) => {
        const reads = readsOf(row);
        return [oid, { name: row.name, volatility: row.volatility, ...(reads && { reads }) }];
      }),
    ),
    types: await byOid<{ oid: string; input: string; output: string }>(client, TYPES),
  };
}

/**
 * Finds in a database what cannot be distributed by account: tables, unique indexes and foreign keys.
 * @returns their names
 */
export async function findInSchema(client: Client): Promise<string[]> {
  const { tables } = await readCatalog(client);
  const unplaced = [...tables.values()].filter(
    ({ name, account }) => account === undefined && !(name in REFERENCE_TABLES),
  );
  const { rows } = await client.query<{ name: string }>(KEYS);
  const gone = Object.keys(REFERENCE_TABLES).filter(
    (name) => ![...tables.values()].some((table) => table.name === name),
  );
  return [
    ...unplaced.map(({ name }) => `table ${name}`),
    ...gone.map((name) => `reference table ${name}`),
    ...rows.map(({ name }) => name),
  ].toSorted();
}
