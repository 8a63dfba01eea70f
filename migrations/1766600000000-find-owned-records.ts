import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex } from './online-schema.js';

/**
 * Lets the records of an owner be read in the order of their ids, by an index in place of the one that only
 * counts them, and users be found by e-mails that are not stored in the form in which they are compared.
 */
export class FindOwnedRecords1766600000000 implements MigrationInterface {
  name = 'FindOwnedRecords1766600000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(
      runner,
      'records_owner_id_idx',
      'ON records (account_id, object_type, owner, id) WHERE archived_at IS NULL AND owner IS NOT NULL',
    );
    await dropIndex(runner, 'records_owner_idx');
    await createIndex(
      runner,
      'users_odd_email_idx',
      `ON users (account_id, search_text(email)) WHERE email ~ '[^!-~]' OR email <> lower(email COLLATE "C")`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX records_owner_idx ON records (account_id, object_type, owner)
      WHERE archived_at IS NULL AND owner IS NOT NULL`);
    await runner.query('DROP INDEX records_owner_id_idx');
    await runner.query('DROP INDEX users_odd_email_idx');
  }
}
