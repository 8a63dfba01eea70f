import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a column that says which text fields are long. A constant default does not rewrite the table. */
export class AddLongFields1764300000000 implements MigrationInterface {
  name = 'AddLongFields1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE field_definitions ADD COLUMN long boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE field_definitions DROP COLUMN long');
  }
}
