import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the table of assignments that were taken back soon after they were made (ADR 19). It is empty at
 * first, and nobody waits for it. A release that does not know it counts these assignments as before.
 */
export class ReturnAssignments1764800000000 implements MigrationInterface {
  name = 'ReturnAssignments1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE returned_assignments (
      account_id uuid NOT NULL,
      assignment_id uuid NOT NULL,
      user_email text NOT NULL,
      assigned_at timestamptz NOT NULL,
      returned_at timestamptz NOT NULL,
      router_id uuid NOT NULL,
      rotation_key text,
      team text,
      new_owner text,
      CONSTRAINT returned_assignments_pkey PRIMARY KEY (account_id, assignment_id)
    )`);
    await runner.query(`CREATE INDEX returned_assignments_user_idx ON returned_assignments
      (account_id, user_email, assigned_at)`);
    await runner.query(`CREATE INDEX returned_assignments_turn_idx ON returned_assignments
      (account_id, router_id, assignment_id) WHERE rotation_key IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE returned_assignments');
  }
}
