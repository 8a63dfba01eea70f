// An extension with a migration of a later release: it expands the largest table as operations.md says, beside the
// release before.
const { changeBriefly, createIndex, fillBatch } = require('../../dist/migrations/online-schema.js');

const BATCH = 2_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** $1 to $3 key of the record behind which the batch starts. Returns the key of its last record. */
const FILL_BATCH = `WITH batch AS (
    SELECT account_id, object_type, id FROM records
    WHERE (account_id, object_type, id) > ($1::uuid, $2::text, $3::uuid)
    ORDER BY account_id, object_type, id LIMIT ${BATCH}
  ), filled AS (
    UPDATE records r SET grade = left(r.fields ->> 'last_name', 1) FROM batch
    WHERE r.account_id = batch.account_id AND r.object_type = batch.object_type AND r.id = batch.id
  )
  SELECT account_id, object_type, id FROM batch ORDER BY account_id DESC, object_type DESC, id DESC LIMIT 1`;

class GradeRecords1999000000000 {
  name = 'GradeRecords1999000000000';
  transaction = false;

  async up(runner) {
    await changeBriefly(runner, ['ALTER TABLE records ADD COLUMN IF NOT EXISTS grade text']);
    let last = { account_id: BEFORE_ALL, object_type: '', id: BEFORE_ALL };
    while (last !== undefined) {
      [last] = await fillBatch(runner, FILL_BATCH, [last.account_id, last.object_type, last.id]);
    }
    await createIndex(runner, { name: 'records_grade_idx', definition: 'ON records (account_id, grade)' });
  }

  async down() {}
}

module.exports = { name: 'later-migration', migrations: [GradeRecords1999000000000] };
