import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** Creates the table of answers to requests with an idempotency key (ADR 30). */
export class KeepAnswers1766200000000 implements MigrationInterface {
  name = 'KeepAnswers1766200000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      `CREATE TABLE IF NOT EXISTS idempotency_keys (
        account_id uuid NOT NULL,
        client_id uuid NOT NULL,
        key text NOT NULL,
        digest bytea NOT NULL,
        status smallint NOT NULL,
        headers jsonb NOT NULL,
        body text NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, client_id, key)
      )`,
      'CREATE INDEX IF NOT EXISTS idempotency_keys_created_idx ON idempotency_keys (created_at)',
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
