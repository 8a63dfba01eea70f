import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeBriefly } from './online-schema.js';

/** What a release of before writes, which knows no keys, gets them as well. */
const KEEP_KEY = `CREATE FUNCTION keep_account_key() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      row jsonb := to_jsonb(NEW);
    BEGIN
      INSERT INTO account_keys (kind, key, account_id)
        SELECT kind, key, account FROM (
          SELECT 'accounts' AS source, 'slug' AS kind, row ->> 'slug' AS key, (row ->> 'id')::uuid AS account
          UNION ALL SELECT 'api_clients', 'client', row ->> 'id', (row ->> 'account_id')::uuid
          UNION ALL SELECT 'console_members', 'email', row ->> 'email_key', (row ->> 'account_id')::uuid
          UNION ALL SELECT 'console_members', 'person', (row ->> 'issuer') || ' ' || (row ->> 'subject'),
            (row ->> 'account_id')::uuid
          UNION ALL SELECT 'console_groups', 'group', row ->> 'name', (row ->> 'account_id')::uuid
        ) k WHERE k.source = TG_TABLE_NAME AND k.key IS NOT NULL
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
        UNION ALL
        SELECT 'email', m.email_key, m.account_id FROM console_members m WHERE account IS NULL OR m.account_id = account
        UNION ALL
        SELECT 'person', m.issuer || ' ' || m.subject, m.account_id FROM console_members m
          WHERE m.subject IS NOT NULL AND (account IS NULL OR m.account_id = account)
        UNION ALL
        SELECT 'group', g.name, g.account_id FROM console_groups g WHERE account IS NULL OR g.account_id = account
        ON CONFLICT DO NOTHING;
    END
  $$`;

const keyOf = (table: string, changes = 'INSERT'): string =>
  `CREATE OR REPLACE TRIGGER ${table}_key AFTER ${changes} ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_account_key()`;

/**
 * Adds the directory of what leads to an account without its id: its slug, the ids of its clients, and what a
 * provider says of its people. In a distributed database each node has a copy of it, so that a request for a
 * token, or of who signs in, reaches the nodes of these accounts alone (contract, section 13).
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
      keyOf('console_members', 'INSERT OR UPDATE OF email_key, issuer, subject'),
      keyOf('console_groups'),
    ]);
    await runner.query('SELECT fill_account_keys(NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION keep_account_key, fill_account_keys CASCADE');
    await runner.query('DROP TABLE account_keys');
  }
}
