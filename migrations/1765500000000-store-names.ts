import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/**
 * Keeps apart what a user's e-mail is and how rows name the user (ADR 24), so that an e-mail can change while
 * the rows stay. Null: the e-mail itself.
 */
export class StoreNames1765500000000 implements MigrationInterface {
  name = 'StoreNames1765500000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // The index has no entries at first.
    await changeBriefly(runner, [
      'ALTER TABLE users ADD COLUMN IF NOT EXISTS stored_as text',
      `CREATE UNIQUE INDEX IF NOT EXISTS users_stored_as_key ON users (account_id, stored_as)
        WHERE stored_as IS NOT NULL`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP COLUMN stored_as');
  }
}
