import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** Adds a column that says which text fields are long. A constant default does not rewrite the table. */
export class AddLongFields1764300000000 implements MigrationInterface {
  name = 'AddLongFields1764300000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      'ALTER TABLE field_definitions ADD COLUMN IF NOT EXISTS long boolean NOT NULL DEFAULT false',
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE field_definitions DROP COLUMN long');
  }
}
