import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS } from './schema/accounts.js';
import { ASSIGNMENTS } from './schema/assignments.js';
import { CONFIGURATION, ROUTERS } from './schema/configuration.js';
import { COUNTS } from './schema/counts.js';
import { HISTORY } from './schema/history.js';
import { INDEXES } from './schema/indexes.js';
import { INSTANTS } from './schema/instants.js';
import { RECORDS } from './schema/records.js';
import { schemaOf, textFunctions } from './schema/search-text.js';

/**
 * Creates the schema. The primary key of every table starts with the account, so that the table can later be
 * partitioned or distributed by account. `records` and `assignments` have no foreign keys. A check of the
 * account's row on every write would make that row the most contended lock of the database. Their statements
 * select from `accounts` instead.
 */
export class CreateSchema1764200000000 implements MigrationInterface {
  name = 'CreateSchema1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    const schema = await schemaOf(runner);
    for (const statement of [
      ...INSTANTS,
      ...textFunctions(schema),
      ...ACCOUNTS,
      ...CONFIGURATION,
      ...ROUTERS,
      ...RECORDS,
      ...COUNTS,
      ...HISTORY,
      ...INDEXES,
      ...ASSIGNMENTS,
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE assignment_days, assignment_traces, assignments, record_index_keys, record_indexes, record_changes, record_counters,
      record_count_changes, record_counts, records, rotations,
      router_versions, routers, audit_entries, capacities, field_definitions, teams, users, idempotency_keys,
      request_counts, api_clients, accounts`);
    await runner.query('DROP COLLATION root_order');
    await runner.query(`DROP FUNCTION switch_record_index, index_record, record_index_key, index_key,
      keep_record_change, count_records, counts_of, counters_of, keep_audit,
      stamp_configuration, contains_text, search_text, iso_utc, uuid_v7`);
  }
}
