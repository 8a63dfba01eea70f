import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly, createIndex } from './online-schema.js';

/**
 * Adds a column for the owner, so that the records of an owner can be counted by an index. `FillOwners` fills
 * it. Adds a column for the turn that an assignment gave, so that the turn can be returned when the owner
 * changes.
 */
export class CountOwnedRecords1764000000000 implements MigrationInterface {
  name = 'CountOwnedRecords1764000000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, ['ALTER TABLE records ADD COLUMN IF NOT EXISTS owner text']);
    await createIndex(
      runner,
      'records_owner_idx',
      'ON records (account_id, object_type, owner) WHERE archived_at IS NULL AND owner IS NOT NULL',
    );
    await changeBriefly(runner, ['ALTER TABLE assignments ADD COLUMN IF NOT EXISTS turn jsonb']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE assignments DROP COLUMN turn');
    await runner.query('DROP INDEX records_owner_idx');
    await runner.query('ALTER TABLE records DROP COLUMN owner');
  }
}
