import type { MigrationInterface, QueryRunner } from 'typeorm';
import { keepRecordChange } from './1766300000000-keep-history.js';
import { changeBriefly } from './online-schema.js';

/**
 * SQL of others may give a record a time before its last change, or the same: `archived_at = now()` is that
 * of the start of the transaction. Its change comes behind those that are kept.
 */
const BEHIND_LAST = `IF author = 'system - -' THEN
        SELECT GREATEST(instant, max(kept.at) + interval '1 microsecond') INTO instant FROM record_changes kept
          WHERE kept.account_id = NEW.account_id AND kept.record_id = NEW.id;
      END IF;
      `;

/** Keeps changes by SQL of others in their order; some were refused before. No row is read or written. */
export class OrderChanges1766700000000 implements MigrationInterface {
  name = 'OrderChanges1766700000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [keepRecordChange(BEHIND_LAST)]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [keepRecordChange('')]);
  }
}
