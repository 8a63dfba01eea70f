import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from './online-schema.js';

const INDEX = {
  name: 'assignments_kind_idx',
  definition: `ON assignments (account_id, router_id, reason, COALESCE(rule, ''), COALESCE(step, 0::smallint), id)`,
};

/** By it the newest entries of the log with a reason, a rule or a step are found, however rare they are. */
export class IndexKindsOfEntries1796000100000 implements MigrationInterface {
  name = 'IndexKindsOfEntries1796000100000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndex(runner, INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX IF EXISTS ${INDEX.name}`);
  }
}
