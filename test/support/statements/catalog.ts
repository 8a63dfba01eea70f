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
  readonly volatility: 'i' | 's' | 'v';
  /** The tables of accounts in its body. */
  readonly reads?: string;
}

/** What the judge knows of a database. All keys are oids. */
export interface Catalog {
  readonly tables: ReadonlyMap<string, Table>;
  /** `volatility` is that of pg_proc: immutable, stable or volatile. */
  readonly functions: ReadonlyMap<string, CalledFunction>;
  /** The functions that read and write values of a type as text. */
  readonly types: ReadonlyMap<string, { readonly input: string; readonly output: string }>;
}

/** The column that a table is distributed by. */
const ACCOUNT = `CASE WHEN c.relname = 'accounts' THEN 'id' ELSE 'account_id' END`;

const TABLES = `SELECT c.oid::text, c.relname AS name, a.attnum::text AS account FROM pg_class c
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = ${ACCOUNT} AND NOT a.attisdropped
    AND c.relname <> ALL ('{${Object.keys(REFERENCE_TABLES).join()}}')
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace`;

const FUNCTIONS = `SELECT oid::text, proname AS name, provolatile AS volatility,
  CASE WHEN pronamespace = 'public'::regnamespace THEN prosrc END AS body FROM pg_proc`;
const TYPES = 'SELECT oid::text, typinput::oid::text AS input, typoutput::oid::text AS output FROM pg_type';

/**
 * Unique indexes without the column that the table is distributed by, and foreign keys that do not lead from
 * it to that of the other table.
 */
const KEYS = `WITH account AS (SELECT oid, relname, attnum FROM (${TABLES.replace('c.oid::text', 'c.oid')
  .replace('AS name', 'AS relname')
  .replace('a.attnum::text AS account', 'a.attnum')}) t)
  SELECT 'unique index ' || i.indexrelid::regclass AS name FROM pg_index i JOIN account a ON a.oid = i.indrelid
  WHERE i.indisunique AND a.attnum IS NOT NULL AND NOT a.attnum = ANY (i.indkey)
  UNION ALL
  SELECT 'foreign key ' || k.conname || ' of ' || a.relname FROM pg_constraint k
  JOIN account a ON a.oid = k.conrelid JOIN account b ON b.oid = k.confrelid
  WHERE k.contype = 'f' AND k.conparentid = 0 AND NOT EXISTS (
    SELECT FROM unnest(k.conkey, k.confkey) AS pair(here, there)
    WHERE pair.here = a.attnum AND pair.there = b.attnum)`;

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
  const tables = await byOid<{ oid: string; name: string; account: string | null }>(client, TABLES);
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
