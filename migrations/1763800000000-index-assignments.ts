import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds indexes to read the assignment log by router, by record and by user. Ids sort in the order of the
 * decisions.
 */
export class IndexAssignments1763800000000 implements MigrationInterface {
  name = 'IndexAssignments1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX assignments_router_idx ON assignments (account_id, router_id, id)');
    await runner.query('CREATE INDEX assignments_object_idx ON assignments (account_id, object_id, id)');
    await runner.query(
      'CREATE INDEX assignments_user_idx ON assignments (account_id, user_email, id) WHERE user_email IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['router', 'object', 'user'])
      await runner.query(`DROP INDEX assignments_${index}_idx`);
  }
}
