import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly, queryRows } from './online-schema.js';

/** The owner of a record, as its fields have it. */
const owner = (record: string): string =>
  `(${record}.fields ->> CASE ${record}.object_type WHEN 'contacts' THEN 'contact_owner'
    WHEN 'companies' THEN 'company_owner' WHEN 'deals' THEN 'deal_owner' ELSE 'ticket_owner' END)`;

/**
 * Lets PostgreSQL fill the column of the owner where a write has not done so, such as one of a release that
 * does not know the column. The trigger runs after the write, because one that runs before makes each update
 * lock its record first. It has no WHEN, which PostgreSQL prepares anew for each statement: that takes four
 * times as long as the function.
 */
const KEEP_OWNERS = [
  `CREATE OR REPLACE FUNCTION fill_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.owner IS DISTINCT FROM ${owner('NEW')} THEN
        UPDATE records r SET owner = ${owner('r')}
          WHERE r.account_id = NEW.account_id AND r.object_type = NEW.object_type AND r.id = NEW.id;
      END IF;
      RETURN NULL;
    END
  $$`,
  `CREATE OR REPLACE TRIGGER records_fill_owner AFTER INSERT OR UPDATE ON records
    FOR EACH ROW EXECUTE FUNCTION fill_owner()`,
];

/** Records that are read and, where they need it, written in one transaction. */
const BATCH = 2_000;

/** $1 to $3 key of the record behind which the batch starts. Returns the key of its last record. */
const FILL_BATCH = `WITH batch AS (
    SELECT account_id, object_type, id FROM records
    WHERE (account_id, object_type, id) > ($1::uuid, $2::text, $3::uuid)
    ORDER BY account_id, object_type, id LIMIT ${BATCH}
  ), filled AS (
    UPDATE records r SET owner = ${owner('r')} FROM batch
    WHERE r.account_id = batch.account_id AND r.object_type = batch.object_type AND r.id = batch.id
      AND r.owner IS DISTINCT FROM ${owner('r')}
  )
  SELECT account_id, object_type, id FROM batch ORDER BY account_id DESC, object_type DESC, id DESC LIMIT 1`;

/** The primary key of a record. */
type Key = Readonly<Record<'account_id' | 'object_type' | 'id', string>>;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Makes the column of the owner right in each record, and keeps it so whichever release writes. */
export class FillOwners1764400000000 implements MigrationInterface {
  name = 'FillOwners1764400000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, KEEP_OWNERS);
    let last: Key | undefined = { account_id: BEFORE_ALL, object_type: '', id: BEFORE_ALL };
    while (last !== undefined) {
      const { account_id, object_type, id }: Key = last;
      [last] = await queryRows<Key>(runner, FILL_BATCH, [account_id, object_type, id]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER records_fill_owner ON records');
    await runner.query('DROP FUNCTION fill_owner');
  }
}
