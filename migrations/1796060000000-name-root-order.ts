import type { MigrationInterface, QueryRunner } from 'typeorm';
import { schemaOf, searchText } from './schema/search-text.js';

/**
 * From PostgreSQL 17 on, ANALYZE, autovacuum's too, and REINDEX failed for records with a key that is not
 * ASCII: `search_text` did not name the schema of its collation. It returns the same as before, so that there
 * is nothing to take back.
 */
export class NameRootOrder1796060000000 implements MigrationInterface {
  name = 'NameRootOrder1796060000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(searchText(await schemaOf(runner)));
  }

  async down(): Promise<void> {
    // The release before runs with this function.
  }
}
