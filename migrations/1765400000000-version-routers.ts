import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly, queryRows } from './online-schema.js';

/**
 * A release that knows no versions changes what is live and keeps its number. That content is then no version
 * until it is published.
 */
const KEEP_NUMBERS = [
  `CREATE OR REPLACE FUNCTION forget_router_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.version = OLD.version AND (NEW.name, NEW.settings, NEW.users, NEW.teams)
          IS DISTINCT FROM (OLD.name, OLD.settings, OLD.users, OLD.teams) THEN
        NEW.version := NULL;
      END IF;
      RETURN NEW;
    END
  $$`,
  `CREATE OR REPLACE TRIGGER routers_forget_version BEFORE UPDATE ON routers
    FOR EACH ROW EXECUTE FUNCTION forget_router_version()`,
];

/** Makes what is live a version: some routers that have none at once. Returns how many there were. */
const NUMBER_BATCH = `WITH batch AS (
    SELECT account_id, id FROM routers WHERE published AND version IS NULL
    ORDER BY account_id, id LIMIT 500 FOR UPDATE
  ), numbered AS (
    UPDATE routers r SET version = 1 + COALESCE(
        (SELECT max(v.version) FROM router_versions v WHERE v.account_id = r.account_id AND v.router_id = r.id), 0)
      FROM batch WHERE r.account_id = batch.account_id AND r.id = batch.id
      RETURNING r.account_id, r.id, r.version, r.name, r.settings, r.users, r.teams
  ), kept AS (
    INSERT INTO router_versions (account_id, router_id, version, name, settings, users, teams, published_at)
      SELECT account_id, id, version, name, settings, users, teams, now() FROM numbered RETURNING version
  )
  SELECT count(*)::int AS count FROM kept`;

/**
 * Gives routers versions (contract, section 6; docs/adr/0022-router-versions.md). A router that is published
 * gets version 1. Entries of the assignment log name the version that has decided.
 */
export class VersionRouters1765400000000 implements MigrationInterface {
  name = 'VersionRouters1765400000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE IF NOT EXISTS router_versions (
      account_id uuid NOT NULL,
      router_id uuid NOT NULL,
      version integer NOT NULL,
      name text NOT NULL,
      settings jsonb,
      users jsonb NOT NULL,
      teams jsonb NOT NULL,
      published_at timestamptz NOT NULL,
      published_by jsonb,
      note text,
      CONSTRAINT router_versions_pkey PRIMARY KEY (account_id, router_id, version)
    )`);
    await changeBriefly(runner, [
      `ALTER TABLE routers ADD COLUMN IF NOT EXISTS version integer, ADD COLUMN IF NOT EXISTS draft jsonb`,
      ...KEEP_NUMBERS,
    ]);
    await changeBriefly(runner, ['ALTER TABLE assignments ADD COLUMN IF NOT EXISTS router_version integer']);
    for (let left = 1; left > 0;) {
      const [row] = await queryRows<{ count: number }>(runner, NUMBER_BATCH, []);
      left = row?.count ?? 0;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE assignments DROP COLUMN router_version');
    await runner.query('DROP TRIGGER routers_forget_version ON routers');
    await runner.query('DROP FUNCTION forget_router_version');
    await runner.query('ALTER TABLE routers DROP COLUMN version, DROP COLUMN draft');
    await runner.query('DROP TABLE router_versions');
  }
}
