import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/**
 * Creates the table by which processes share what they have counted for the throttles (ADR 21). It is
 * unlogged, because a count is worth nothing after a minute. Updates stay in their page, as no index has what
 * they change.
 */
export class CountRequests1765200000000 implements MigrationInterface {
  name = 'CountRequests1765200000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      `CREATE UNLOGGED TABLE IF NOT EXISTS request_counts (
        account_id uuid NOT NULL,
        subject_id uuid NOT NULL,
        requests integer NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT request_counts_pkey PRIMARY KEY (account_id, subject_id)
      ) WITH (fillfactor = 50)`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE request_counts');
  }
}
