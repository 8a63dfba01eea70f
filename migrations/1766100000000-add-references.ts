import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly, queryRows } from './online-schema.js';

/** Accounts that are changed in one transaction. */
const BATCH = 200;

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The standard references, in their order behind the other fields of the type. It keeps its own list, because
 * the list of a release may change.
 */
const REFERENCES = `(VALUES
    ('contacts', 1, 'company', 'Company', 'companies'),
    ('deals', 1, 'company', 'Company', 'companies'),
    ('deals', 2, 'contact', 'Contact', 'contacts'),
    ('tickets', 1, 'company', 'Company', 'companies'),
    ('tickets', 2, 'contact', 'Contact', 'contacts')
  ) AS reference (object_type, n, name, label, target)`;

/** A field of the account and the type of `reference`. */
const SIBLING = 'f.account_id = batch.id AND f.object_type = reference.object_type';

/**
 * $1 the account behind which the batch starts. A name that a custom field has, archived or not, stays that
 * of the custom field. Each account that gets a field gets a new version of its configuration first, which
 * locks it against other changes. Returns the last account of the batch.
 */
const FILL_BATCH = `WITH batch AS (
    SELECT id FROM accounts WHERE id > $1 ORDER BY id LIMIT ${BATCH}
  ), missing AS (
    SELECT batch.id, reference.*,
      (SELECT max(f.position) FROM field_definitions f WHERE ${SIBLING}) AS last
    FROM batch CROSS JOIN ${REFERENCES}
    WHERE NOT EXISTS (SELECT FROM field_definitions f WHERE ${SIBLING} AND f.internal_name = reference.name)
  ), changed AS (
    UPDATE accounts a SET config_version = a.config_version + 1
    FROM (SELECT DISTINCT id FROM missing) AS m WHERE a.id = m.id
    RETURNING a.id
  ), added AS (
    INSERT INTO field_definitions
      (account_id, id, object_type, internal_name, label, type, target, standard, position)
    SELECT m.id, uuid_v7(clock_timestamp()), m.object_type, m.name, m.label, 'reference', m.target, true,
      COALESCE(m.last, -1) + m.n
    FROM changed JOIN missing m ON m.id = changed.id
    ORDER BY m.object_type, m.n
    ON CONFLICT (account_id, object_type, internal_name) DO NOTHING
  )
  SELECT id FROM batch ORDER BY id DESC LIMIT 1`;

/**
 * Adds references (contract section 7): the type that a field of type `reference` names, and the standard
 * references to accounts that are there. Touches no record.
 */
export class AddReferences1766100000000 implements MigrationInterface {
  name = 'AddReferences1766100000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, ['ALTER TABLE field_definitions ADD COLUMN IF NOT EXISTS target text']);
    let last: { id: string } | undefined = { id: FIRST };
    while (last !== undefined) {
      const { id }: { id: string } = last;
      [last] = await queryRows<{ id: string }>(runner, FILL_BATCH, [id]);
    }
  }

  /** Removes every reference, custom ones included: the release before knows no such field. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE accounts SET config_version = config_version + 1
      WHERE id IN (SELECT account_id FROM field_definitions WHERE type = 'reference')`);
    await runner.query(`DELETE FROM field_definitions WHERE type = 'reference'`);
    await runner.query('ALTER TABLE field_definitions DROP COLUMN target');
  }
}
