import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly, queryRows } from './online-schema.js';

/** Versions that are read and written in one transaction. */
const BATCH = 500;

/** The texts in the settings of a version. */
const TEXTS = `(SELECT DISTINCT part #>> '{}' AS text FROM jsonb_path_query(batch.settings, 'strict $.**') AS part
  WHERE jsonb_typeof(part) = 'string') AS texts`;

const USERS = `SELECT jsonb_object_agg(u.email, u.id) FROM ${TEXTS}
  JOIN users u ON u.account_id = batch.account_id AND u.email = lower(btrim(texts.text))`;

/** The active team of a name, or else the one that was created last: the last one of a key counts. */
const TEAMS = `SELECT jsonb_object_agg(t.name, t.id ORDER BY t.archived_at IS NULL, t.id) FROM ${TEXTS}
  JOIN teams t ON t.account_id = batch.account_id AND t.name = texts.text`;

const NAMED = `jsonb_build_object('users', COALESCE((${USERS}), '{}'), 'teams', COALESCE((${TEAMS}), '{}'))`;

/** $1 to $3 key of the version behind which the batch starts. Returns the key of its last version. */
const FILL_BATCH = `WITH batch AS (
    SELECT account_id, router_id, version, settings FROM router_versions
    WHERE (account_id, router_id, version) > ($1::uuid, $2::uuid, $3::int) AND named IS NULL
    ORDER BY account_id, router_id, version LIMIT ${BATCH}
  ), filled AS (
    UPDATE router_versions v SET named = ${NAMED} FROM batch
    WHERE v.account_id = batch.account_id AND v.router_id = batch.router_id AND v.version = batch.version
  )
  SELECT account_id, router_id, version FROM batch
  ORDER BY account_id DESC, router_id DESC, version DESC LIMIT 1`;

/** The primary key of a version. */
interface Key extends Readonly<Record<'account_id' | 'router_id', string>> {
  readonly version: number;
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps with each version whom its settings name, so that users and teams can be called otherwise while
 * versions stay (docs/adr/0022-router-versions.md).
 */
export class NamePeopleInVersions1765700000000 implements MigrationInterface {
  name = 'NamePeopleInVersions1765700000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, ['ALTER TABLE router_versions ADD COLUMN IF NOT EXISTS named jsonb']);
    let last: Key | undefined = { account_id: BEFORE_ALL, router_id: BEFORE_ALL, version: 0 };
    while (last !== undefined) {
      const { account_id, router_id, version }: Key = last;
      [last] = await queryRows<Key>(runner, FILL_BATCH, [account_id, router_id, version]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE router_versions DROP COLUMN named');
  }
}
