import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** What a release of before writes, which knows no keys, gets them as well. */
const KEEP_KEY = `CREATE FUNCTION keep_account_key() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO account_keys (kind, key, account_id)
        SELECT CASE TG_TABLE_NAME WHEN 'accounts' THEN 'slug' ELSE 'client' END,
          to_jsonb(NEW) ->> CASE TG_TABLE_NAME WHEN 'accounts' THEN 'slug' ELSE 'id' END,
          (to_jsonb(NEW) ->> CASE TG_TABLE_NAME WHEN 'accounts' THEN 'id' ELSE 'account_id' END)::uuid
        ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
  $$`;

/** Adds what is lacking of the keys of an account, or of all: for what was there before, and for dumps. */
const FILL = `CREATE FUNCTION fill_account_keys(account uuid) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO account_keys (kind, key, account_id)
        SELECT 'slug', slug, id FROM accounts WHERE account IS NULL OR id = account
        UNION ALL
        SELECT 'client', id::text, account_id FROM api_clients WHERE account IS NULL OR account_id = account
        ON CONFLICT DO NOTHING;
    END
  $$`;

const keyOf = (table: string): string =>
  `CREATE OR REPLACE TRIGGER ${table}_key AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_account_key()`;

/**
 * Adds the directory of what leads to an account without its id: its slug, and the ids of its clients. In a
 * distributed database each node has a copy of it, so that a token request reaches one node (contract,
 * section 13).
 */
export class CreateAccountKeys1796030000000 implements MigrationInterface {
  name = 'CreateAccountKeys1796030000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      `CREATE TABLE IF NOT EXISTS account_keys (
        kind text NOT NULL,
        key text NOT NULL,
        account_id uuid NOT NULL,
        CONSTRAINT account_keys_pkey PRIMARY KEY (kind, key, account_id)
      )`,
      `CREATE UNIQUE INDEX IF NOT EXISTS account_keys_unique_key ON account_keys (kind, key)
        WHERE kind IN ('slug', 'client')`,
      `COMMENT ON TABLE account_keys IS 'left out of dumps'`,
      'DROP FUNCTION IF EXISTS keep_account_key, fill_account_keys CASCADE',
      FILL,
      KEEP_KEY,
      keyOf('accounts'),
      keyOf('api_clients'),
    ]);
    await runner.query('SELECT fill_account_keys(NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION keep_account_key, fill_account_keys CASCADE');
    await runner.query('DROP TABLE account_keys');
  }
}
