import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './online-schema.js';

/**
 * Adds indexes to read the assignment log by router, by record and by user. Ids sort in the order of the
 * decisions.
 */
export class IndexAssignments1763800000000 implements MigrationInterface {
  name = 'IndexAssignments1763800000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, 'assignments_router_idx', 'ON assignments (account_id, router_id, id)');
    await createIndex(runner, 'assignments_object_idx', 'ON assignments (account_id, object_id, id)');
    await createIndex(
      runner,
      'assignments_user_idx',
      'ON assignments (account_id, user_email, id) WHERE user_email IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['router', 'object', 'user'])
      await runner.query(`DROP INDEX assignments_${index}_idx`);
  }
}
