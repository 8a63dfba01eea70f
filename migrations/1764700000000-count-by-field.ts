import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

const CREATE_TABLE = [
  `CREATE TABLE IF NOT EXISTS owned_counters (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    counter uuid NOT NULL,
    owner_field text NOT NULL,
    having_field text,
    having_values text[],
    is_ready boolean NOT NULL DEFAULT false,
    CONSTRAINT owned_counters_pkey PRIMARY KEY (account_id, object_type, counter)
  )`,
  `CREATE INDEX IF NOT EXISTS owned_counters_new_idx ON owned_counters (account_id, object_type)
    WHERE NOT is_ready`,
];

/** A condition: an active record with these fields has a value that the counter counts. */
const isCounted = (fields: string): string =>
  `(c.having_field IS NULL OR ${fields} ->> c.having_field = ANY (c.having_values))`;

/** The owner for whom a record counts. Both fields are null where there is no such record. */
const countedOwner = (record: string, fields: string): string =>
  `CASE WHEN ${record}.archived_at IS NULL AND ${isCounted(fields)} THEN ${fields} ->> c.owner_field END`;

/** The counters of the record's account and type. */
const COUNTERS = `FROM owned_counters c
        WHERE c.account_id = COALESCE(NEW.account_id, OLD.account_id)
          AND c.object_type = COALESCE(NEW.object_type, OLD.object_type)`;

/**
 * Writes a row for what a statement changes of a counter. Most accounts have no counters, and most statements
 * change none: a query finds out each, which is faster than a statement that inserts nothing. A concatenation
 * with an empty object decompresses long fields once, and not at each use.
 */
const COUNT = [
  `CREATE OR REPLACE FUNCTION count_by_field() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before jsonb;
      after jsonb;
    BEGIN
      PERFORM ${COUNTERS} LIMIT 1;
      IF NOT FOUND THEN
        RETURN NULL;
      END IF;
      before := '{}'::jsonb || OLD.fields;
      after := '{}'::jsonb || NEW.fields;
      IF NOT EXISTS (SELECT ${COUNTERS}
          AND (${countedOwner('OLD', 'before')} IS DISTINCT FROM ${countedOwner('NEW', 'after')})) THEN
        RETURN NULL;
      END IF;
      INSERT INTO owned_count_changes (account_id, object_type, counter, owner, n)
        SELECT counted.account_id, counted.object_type, counted.counter, change.owner, change.n
        FROM (
          SELECT c.account_id, c.object_type, c.counter, ${countedOwner('OLD', 'before')} AS owner_before,
            ${countedOwner('NEW', 'after')} AS owner_after ${COUNTERS}
        ) AS counted
        CROSS JOIN LATERAL (VALUES (counted.owner_before, -1), (counted.owner_after, 1)) AS change (owner, n)
        WHERE counted.owner_before IS DISTINCT FROM counted.owner_after AND change.owner IS NOT NULL;
      RETURN NULL;
    END
  $$`,
  `CREATE OR REPLACE TRIGGER records_count_by_field AFTER INSERT OR UPDATE OR DELETE ON records
    FOR EACH ROW EXECUTE FUNCTION count_by_field()`,
];

/**
 * Counts the records that users own by fields of their own, and those that capacities count (ADR 17). There
 * are no counters at first: the service adds those that an account's configuration needs.
 */
export class CountByField1764700000000 implements MigrationInterface {
  name = 'CountByField1764700000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [...CREATE_TABLE, ...COUNT]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER records_count_by_field ON records');
    await runner.query('DROP FUNCTION count_by_field');
    await runner.query('DROP TABLE owned_counters');
  }
}
