import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** Allows the traces of old assignments to be dropped. The assignments stay. */
export class PruneTraces1764100000000 implements MigrationInterface {
  name = 'PruneTraces1764100000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, ['ALTER TABLE assignments ALTER COLUMN trace DROP NOT NULL']);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE assignments SET trace = '[]' WHERE trace IS NULL`);
    await runner.query('ALTER TABLE assignments ALTER COLUMN trace SET NOT NULL');
  }
}
