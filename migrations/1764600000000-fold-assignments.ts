import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the tables from which the assignment log is counted (docs/adr/0016-counts-of-the-log.md). They are
 * empty: the service fills them from the log.
 */
export class FoldAssignments1764600000000 implements MigrationInterface {
  name = 'FoldAssignments1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    // The number of entries of a last block changes often, and is in no index: the update stays in its page.
    await runner.query(`CREATE TABLE assignment_blocks (
      account_id uuid NOT NULL,
      router_id uuid NOT NULL,
      user_email text NOT NULL,
      before bigint NOT NULL,
      first_id uuid NOT NULL,
      entries integer NOT NULL,
      CONSTRAINT assignment_blocks_pkey PRIMARY KEY (account_id, router_id, user_email, before)
    ) WITH (fillfactor = 90)`);
    await runner.query(`CREATE INDEX assignment_blocks_user_idx ON assignment_blocks
      (account_id, user_email, first_id) WHERE router_id = '00000000-0000-0000-0000-000000000000'`);
    await runner.query(`CREATE TABLE assignment_folds (
      account_id uuid NOT NULL,
      last_id uuid NOT NULL,
      late_ms bigint NOT NULL,
      early_ms bigint NOT NULL,
      CONSTRAINT assignment_folds_pkey PRIMARY KEY (account_id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE assignment_folds');
    await runner.query('DROP TABLE assignment_blocks');
  }
}
