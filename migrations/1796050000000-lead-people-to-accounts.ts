import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CreateAccountKeys1796030000000 } from './1796030000000-create-account-keys.js';
import { changeBriefly } from './online-schema.js';

/** What a release of before writes, which knows no keys of people, gets them as well. */
const KEEP_KEY = `CREATE OR REPLACE FUNCTION keep_account_key() RETURNS trigger LANGUAGE plpgsql AS $$
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

const FILL = `CREATE OR REPLACE FUNCTION fill_account_keys(account uuid) RETURNS void LANGUAGE plpgsql AS $$
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

/** Leads people of a provider to the accounts that may know them: a cluster asks the nodes of these alone. */
export class LeadPeopleToAccounts1796050000000 implements MigrationInterface {
  name = 'LeadPeopleToAccounts1796050000000';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await changeBriefly(runner, [
      FILL,
      KEEP_KEY,
      `CREATE OR REPLACE TRIGGER console_members_key AFTER INSERT OR UPDATE OF email_key, issuer, subject
        ON console_members FOR EACH ROW EXECUTE FUNCTION keep_account_key()`,
      `CREATE OR REPLACE TRIGGER console_groups_key AFTER INSERT ON console_groups
        FOR EACH ROW EXECUTE FUNCTION keep_account_key()`,
    ]);
    await runner.query('SELECT fill_account_keys(NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const before = new CreateAccountKeys1796030000000();
    await before.down(runner);
    await before.up(runner);
  }
}
