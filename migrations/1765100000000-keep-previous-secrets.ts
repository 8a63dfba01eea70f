import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** Keeps the secret before of an API client, and until when it works (contract, section 6). */
export class KeepPreviousSecrets1765100000000 implements MigrationInterface {
  name = 'KeepPreviousSecrets1765100000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      `ALTER TABLE api_clients ADD COLUMN IF NOT EXISTS previous_secret_hash bytea,
        ADD COLUMN IF NOT EXISTS previous_secret_until timestamptz`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE api_clients DROP COLUMN previous_secret_hash, DROP COLUMN previous_secret_until',
    );
  }
}
