import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = new Map([
  ['object', '(account_id, object_id, id)'],
  ['kind', '(account_id, object_kind, id)'],
  ['client', '(account_id, by_id, id) WHERE by_id IS NOT NULL'],
  ['command', '(account_id, by_name, id) WHERE by_id IS NULL'],
]);

/** Creates the audit of the configuration (contract, section 6). Entries are only added. */
export class CreateAudit1765300000000 implements MigrationInterface {
  name = 'CreateAudit1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE audit_entries (
      account_id uuid NOT NULL,
      id uuid NOT NULL,
      at timestamptz NOT NULL,
      by_kind text NOT NULL,
      by_id uuid,
      by_name text NOT NULL,
      action text NOT NULL,
      object_kind text NOT NULL,
      object_id uuid NOT NULL,
      object_name text NOT NULL,
      changes jsonb NOT NULL,
      request_id text,
      CONSTRAINT audit_entries_pkey PRIMARY KEY (account_id, id)
    )`);
    for (const [name, definition] of INDEXES) {
      await runner.query(`CREATE INDEX audit_entries_${name}_idx ON audit_entries ${definition}`);
    }
    await runner.query(`CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'entries of the audit are never changed or deleted';
      END
    $$`);
    await runner.query(`CREATE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE ON audit_entries
      FOR EACH STATEMENT EXECUTE FUNCTION keep_audit()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entries');
    await runner.query('DROP FUNCTION keep_audit');
  }
}
