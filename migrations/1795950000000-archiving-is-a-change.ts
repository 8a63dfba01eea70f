import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INDEX_RECORD, RECORD_INDEX_KEY } from './schema/indexes.js';

/** The instant of the last change of a record, its archiving included. */
const CHANGED = (record: string): string => `COALESCE(${record}.archived_at, ${record}.updated_at)`;
const KEY = (record: string): string =>
  `record_key(i.kind, ${record}.fields ->> i.field, ${CHANGED(record)})`;
const OF_RECORD = (record: string): string =>
  `i.account_id = ${record}.account_id AND i.object_type = ${record}.object_type AND i.dropped_at IS NULL`;
/** Whether an index has a record: archived ones are in that of the last change alone. */
const HAS = (record: string): string => `(${record}.archived_at IS NULL OR i.kind = 'changed')`;

/** Whether an update leaves the key in an index as it is, without making keys. */
const SAME = `CASE i.kind WHEN 'changed' THEN ${CHANGED('OLD')} = ${CHANGED('NEW')}
          ELSE OLD.archived_at IS NULL AND NEW.archived_at IS NULL AND CASE i.kind
            WHEN 'last_modified' THEN OLD.updated_at = NEW.updated_at
            ELSE (OLD.fields ->> i.field) IS NOT DISTINCT FROM (NEW.fields ->> i.field) END END`;

/**
 * The key of a record in an index. The kind 'last_modified' is that of processes of the version before, which
 * know no other index of the last change, and go on with it until they have ended.
 */
const RECORD_KEY = `CREATE FUNCTION record_key(kind text, value text, changed timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN kind IN ('changed', 'last_modified')
      THEN to_char(changed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') ELSE index_key(kind, value) END
  $$`;

/** Keeps a process of the version before from building the new index without the archived records. */
const EARLIER_KEY = `CREATE OR REPLACE FUNCTION record_index_key(kind text, value text, changed timestamptz) RETURNS text
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
    BEGIN
      IF kind = 'changed' THEN
        RAISE EXCEPTION 'a process of a later version builds this index';
      END IF;
      RETURN record_key(kind, value, changed);
    END
  $$`;

const KEEP = `CREATE OR REPLACE FUNCTION index_record() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        PERFORM FROM record_indexes i WHERE ${OF_RECORD('NEW')} LIMIT 1;
      ELSIF TG_OP = 'DELETE' THEN
        PERFORM FROM record_indexes i WHERE ${OF_RECORD('OLD')} LIMIT 1;
      ELSE
        PERFORM FROM record_indexes i WHERE ${OF_RECORD('OLD')} AND NOT (${SAME}) LIMIT 1;
      END IF;
      IF NOT FOUND THEN
        RETURN NULL;
      END IF;
      IF TG_OP <> 'INSERT' THEN
        DELETE FROM record_index_keys k USING record_indexes i
          WHERE ${OF_RECORD('OLD')} AND ${HAS('OLD')} AND (TG_OP = 'DELETE' OR NOT (${SAME}))
            AND k.account_id = OLD.account_id AND k.index_id = i.id AND k.key = ${KEY('OLD')} AND k.record_id = OLD.id;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO record_index_keys (account_id, index_id, key, record_id)
          SELECT i.account_id, i.id, ${KEY('NEW')}, NEW.id FROM record_indexes i
          WHERE ${OF_RECORD('NEW')} AND ${HAS('NEW')} AND (TG_OP = 'INSERT' OR NOT (${SAME}))
          ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END
  $$`;

/**
 * Lets an index of the last change have archived records: a search with `archived` by `updated_at` reads it.
 * The new index has a field and a kind of its own, so that processes of the version before leave it alone.
 */
export class ArchivingIsAChange1795950000000 implements MigrationInterface {
  name = 'ArchivingIsAChange1795950000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [RECORD_KEY, EARLIER_KEY, KEEP]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM record_index_keys k USING record_indexes i
      WHERE i.account_id = k.account_id AND i.id = k.index_id AND i.kind = 'changed'`);
    await runner.query(`DELETE FROM record_indexes WHERE kind = 'changed'`);
    for (const statement of [RECORD_INDEX_KEY, INDEX_RECORD])
      await runner.query(statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
    await runner.query('DROP FUNCTION record_key');
  }
}
