import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** Refuses to empty the audit too: TRUNCATE fires no trigger of UPDATE and DELETE. */
export class KeepWholeAudit1765800000000 implements MigrationInterface {
  name = 'KeepWholeAudit1765800000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      `CREATE OR REPLACE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON audit_entries
        FOR EACH STATEMENT EXECUTE FUNCTION keep_audit()`,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER audit_entries_keep_all ON audit_entries');
  }
}
