import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

const TABLES = ['users', 'teams', 'field_definitions', 'capacities', 'routers'];

/** A transaction may raise the version before or after it writes a row. */
const STAMP = `CREATE OR REPLACE FUNCTION stamp_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_in := COALESCE((SELECT config_version FROM accounts WHERE id = NEW.account_id), 0);
      RETURN NEW;
    END
  $$`;

/**
 * Notes in each row of a configuration the version in which it was changed, so that a process that knows an
 * earlier one reads only what has changed since (ADR 2). The database does it, whatever release writes.
 */
export class StampConfiguration1765000000000 implements MigrationInterface {
  name = 'StampConfiguration1765000000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STAMP);
    for (const table of TABLES) {
      // A constant default does not rewrite the table.
      await changeBriefly(runner, [
        `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS changed_in bigint NOT NULL DEFAULT 0`,
        `CREATE OR REPLACE TRIGGER ${table}_stamp BEFORE INSERT OR UPDATE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION stamp_configuration()`,
      ]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP TRIGGER ${table}_stamp ON ${table}`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN changed_in`);
    }
    await runner.query('DROP FUNCTION stamp_configuration');
  }
}
