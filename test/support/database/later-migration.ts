import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly, createIndex, dropIndex, fillBatch } from '../../../migrations/online-schema.js';

/** Records that are filled in one transaction. */
const BATCH = 500;

const FILL_BATCH = `WITH batch AS (
    SELECT account_id, object_type, id FROM records WHERE grade IS NULL LIMIT ${BATCH}
  ), filled AS (
    UPDATE records r SET grade = left(r.fields ->> 'city', 1) || '!' FROM batch
    WHERE (r.account_id, r.object_type, r.id) = (batch.account_id, batch.object_type, batch.id)
    RETURNING r.id
  )
  SELECT count(*)::int AS count FROM filled`;

export const GRADE_INDEX = { name: 'records_grade_idx', definition: 'ON records (account_id, grade)' };

/** What a later release may do to a table beside this one: a column, its values, an index. */
export class GradeRecords1999000000000 implements MigrationInterface {
  name = 'GradeRecords1999000000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, ['ALTER TABLE records ADD COLUMN IF NOT EXISTS grade text']);
    for (let filled = BATCH; filled === BATCH;) {
      const [row] = await fillBatch<{ count: number }>(runner, FILL_BATCH);
      filled = row?.count ?? 0;
    }
    await createIndex(runner, GRADE_INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, GRADE_INDEX.name);
    await runner.query('ALTER TABLE records DROP COLUMN grade');
  }
}
