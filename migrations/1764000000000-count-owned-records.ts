import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds a column for the owner, so that the records of an owner can be counted by an index. Adds a column for
 * the turn that an assignment gave, so that the turn can be returned when the owner changes.
 */
export class CountOwnedRecords1764000000000 implements MigrationInterface {
  name = 'CountOwnedRecords1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE records ADD COLUMN owner text');
    await runner.query(`UPDATE records SET owner = fields ->> CASE object_type
      WHEN 'contacts' THEN 'contact_owner' WHEN 'companies' THEN 'company_owner'
      WHEN 'deals' THEN 'deal_owner' ELSE 'ticket_owner' END`);
    await runner.query(`CREATE INDEX records_owner_idx ON records (account_id, object_type, owner)
      WHERE archived_at IS NULL AND owner IS NOT NULL`);
    await runner.query('ALTER TABLE assignments ADD COLUMN turn jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE assignments DROP COLUMN turn');
    await runner.query('DROP INDEX records_owner_idx');
    await runner.query('ALTER TABLE records DROP COLUMN owner');
  }
}
