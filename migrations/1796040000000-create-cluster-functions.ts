import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';
import { RETURN_UNCOUNTED } from './schema/counts.js';
import { KEEP_CHANGE_ON_CLUSTER } from './schema/history.js';
import { SWITCH, SWITCH_INDEX } from './schema/indexes.js';

/** Functions that statements for a cluster call: Citus refuses those of a wider volatility there. */
const FUNCTIONS = [
  // As iso_utc, of which PostgreSQL does not know that no setting changes it.
  `CREATE OR REPLACE FUNCTION utc_text(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  $$`,
  // As uuid_v7, for INSERT ... SELECT. It is called for each row, because each has an instant of its own.
  `CREATE OR REPLACE FUNCTION id_at(at timestamptz) RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
    BEGIN
      RETURN uuid_v7(at);
    END
  $$`,
  // Of the node with the account. Citus calls what has no columns, or is not immutable, where it is asked.
  `CREATE OR REPLACE FUNCTION node_transaction(account uuid) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN pg_current_xact_id()::text;
    END
  $$`,
  `CREATE OR REPLACE FUNCTION node_next_transaction(account uuid) RETURNS bigint LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN pg_snapshot_xmax(pg_current_snapshot())::text;
    END
  $$`,
];

/**
 * What triggers of distributed tables call, in place of the functions without this ending. Each statement of
 * theirs has values, or reads one table. Citus takes no function of SQL that reads tables there, and mixes up
 * what parts of a statement find with what those of the statement outside do.
 */
const COUNT = [
  `CREATE OR REPLACE FUNCTION add_count_changes(account uuid, type text, records jsonb) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      counters jsonb;
      change record;
    BEGIN
      SELECT jsonb_agg(to_jsonb(c)) INTO counters FROM record_counters c
        WHERE c.account_id = account AND c.object_type = type;
      FOR change IN
        SELECT c.counter, c.owner, sum(r.n) AS n
        FROM jsonb_to_recordset(records) AS r (archived_at timestamptz, owner text, fields jsonb, n int)
        CROSS JOIN LATERAL (
          VALUES (CASE WHEN r.archived_at IS NULL THEN 'active' ELSE 'archived' END, ''),
            ('owner', CASE WHEN r.archived_at IS NULL THEN r.owner END)
          UNION ALL
          SELECT c.counter, r.fields ->> c.owner_field
          FROM jsonb_to_recordset(counters)
            AS c (counter text, owner_field text, having_field text, having_values text[])
          WHERE r.archived_at IS NULL
            AND (c.having_field IS NULL OR r.fields ->> c.having_field = ANY (c.having_values))
        ) AS c (counter, owner)
        WHERE c.owner IS NOT NULL
        GROUP BY 1, 2 HAVING sum(r.n) <> 0
      LOOP
        INSERT INTO record_count_changes (account_id, object_type, counter, owner, n)
          VALUES (account, type, change.counter, change.owner, change.n);
      END LOOP;
    END
  $$`,
  `CREATE OR REPLACE FUNCTION count_records_on_cluster() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM add_count_changes(account_id, object_type, jsonb_agg(to_jsonb(created) || '{"n": 1}')) FROM created
          GROUP BY account_id, object_type;
        RETURN NULL;
      END IF;
      ${RETURN_UNCOUNTED}
      PERFORM add_count_changes(OLD.account_id, OLD.object_type, to_jsonb(OLD) || '{"n": -1}'
        || CASE TG_OP WHEN 'UPDATE' THEN jsonb_build_array(to_jsonb(NEW) || '{"n": 1}') ELSE '[]' END);
      RETURN NULL;
    END
  $$`,
];

const CHANGED = (record: string): string => `COALESCE(${record}.archived_at, ${record}.updated_at)`;

/** The key of a record in an index `i`; null where it has none. */
const keyOf = (record: string, operation: string): string =>
  `CASE WHEN TG_OP <> '${operation}' AND (${record}.archived_at IS NULL OR i.kind = 'changed')
          THEN record_key(i.kind, ${record}.fields ->> i.field, ${CHANGED(record)}) END`;

const INDEX = `CREATE OR REPLACE FUNCTION index_record_on_cluster() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      account uuid := COALESCE(NEW.account_id, OLD.account_id);
      record uuid := COALESCE(NEW.id, OLD.id);
      i record_indexes;
      before text;
      after text;
    BEGIN
      FOR i IN SELECT * FROM record_indexes k
          WHERE k.account_id = account AND k.object_type = COALESCE(NEW.object_type, OLD.object_type)
            AND k.dropped_at IS NULL LOOP
        before := ${keyOf('OLD', 'INSERT')};
        after := ${keyOf('NEW', 'DELETE')};
        IF before IS DISTINCT FROM after THEN
          DELETE FROM record_index_keys k
            WHERE k.account_id = account AND k.index_id = i.id AND k.key = before AND k.record_id = record;
        END IF;
        IF before IS DISTINCT FROM after AND after IS NOT NULL THEN
          INSERT INTO record_index_keys (account_id, index_id, key, record_id)
            VALUES (account, i.id, after, record) ON CONFLICT DO NOTHING;
        END IF;
      END LOOP;
      RETURN NULL;
    END
  $$`;

const replaced = (text: string): string => text.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');

/** Of an index of records. An account has few, and a node cannot draw from a sequence of integers. */
const ANY_ID = 'ALTER TABLE record_indexes ALTER COLUMN id';

/** Lets each node of a cluster compute what statements need that go to it alone (contract, section 13). */
export class CreateClusterFunctions1796040000000 implements MigrationInterface {
  name = 'CreateClusterFunctions1796040000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      ...FUNCTIONS,
      ...COUNT,
      INDEX,
      replaced(KEEP_CHANGE_ON_CLUSTER),
      replaced(SWITCH_INDEX),
      `${ANY_ID} DROP IDENTITY IF EXISTS`,
      `${ANY_ID} SET DEFAULT floor(random() * 2147483647)::integer`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP FUNCTION utc_text, id_at, node_transaction, node_next_transaction, add_count_changes,
      count_records_on_cluster, index_record_on_cluster, keep_record_change_on_cluster`);
    await runner.query(replaced(SWITCH[0] ?? ''));
    await runner.query(`${ANY_ID} DROP DEFAULT`);
    await runner.query(`${ANY_ID} ADD GENERATED BY DEFAULT AS IDENTITY`);
  }
}
