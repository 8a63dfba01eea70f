import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly, createUniqueIndex } from './online-schema.js';

const ARCHIVED = ['teams', 'field_definitions', 'capacities'];

/** The tables in which the name of what is archived may be taken by another. */
const NAMED = ['teams', 'capacities'];

/** Lets teams, custom fields and capacities be archived (contract, section 6). */
export class ArchiveConfiguration1765600000000 implements MigrationInterface {
  name = 'ArchiveConfiguration1765600000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ARCHIVED) {
      await changeBriefly(runner, [`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS archived_at timestamptz`]);
    }
    for (const table of NAMED) {
      const definition = `ON ${table} (account_id, name) WHERE archived_at IS NULL`;
      await createUniqueIndex(runner, `${table}_active_name_key`, definition);
      await changeBriefly(runner, [`DROP INDEX IF EXISTS ${table}_name_key`]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ARCHIVED) await runner.query(`DELETE FROM ${table} WHERE archived_at IS NOT NULL`);
    for (const table of NAMED) {
      await runner.query(`CREATE UNIQUE INDEX ${table}_name_key ON ${table} (account_id, name)`);
      await runner.query(`DROP INDEX ${table}_active_name_key`);
    }
    for (const table of ARCHIVED) await runner.query(`ALTER TABLE ${table} DROP COLUMN archived_at`);
  }
}
