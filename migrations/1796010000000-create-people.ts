import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates what lets people enter the console (contract section 12): members, groups of a provider that have a
 * role, one-time links, and sessions. Of links and sessions the hash of their secret alone is kept. A secret
 * names no account, so each table has an index by it, which is not unique: a distributed table cannot enforce
 * that without the account. Few indexes beside the primary key have the account, so that PostgreSQL has no
 * choice for a row by its key: it takes an account for few rows, whatever index has it.
 */
export class CreatePeople1796010000000 implements MigrationInterface {
  name = 'CreatePeople1796010000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [
      // The e-mail of an archived member may be taken by another. `by_group`: the role is that of a group.
      `CREATE TABLE console_members (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        email text NOT NULL,
        email_key text NOT NULL,
        role text NOT NULL,
        by_group boolean NOT NULL DEFAULT false,
        issuer text,
        subject text,
        last_seen_at timestamptz,
        archived_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT console_members_pkey PRIMARY KEY (account_id, id)
      )`,
      `CREATE UNIQUE INDEX console_members_active_email_key ON console_members (email_key, account_id)
        WHERE archived_at IS NULL`,
      `CREATE UNIQUE INDEX console_members_active_subject_key ON console_members (subject, issuer, account_id)
        WHERE archived_at IS NULL`,
      'CREATE INDEX console_members_email_idx ON console_members (email_key)',
      'CREATE INDEX console_members_subject_idx ON console_members (subject) WHERE subject IS NOT NULL',

      `CREATE TABLE console_groups (
        account_id uuid NOT NULL,
        name text NOT NULL,
        role text NOT NULL,
        CONSTRAINT console_groups_pkey PRIMARY KEY (account_id, name)
      )`,
      'CREATE INDEX console_groups_name_idx ON console_groups (name)',

      `CREATE TABLE console_links (
        account_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        member_id uuid NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT console_links_pkey PRIMARY KEY (account_id, token_hash)
      )`,
      'CREATE INDEX console_links_token_idx ON console_links (token_hash)',
      'CREATE INDEX console_links_member_idx ON console_links (member_id)',
      'CREATE INDEX console_links_end_idx ON console_links (ends_at)',

      // `by_provider`: the provider has said who the person is, who may then enter other accounts, too.
      `CREATE TABLE console_sessions (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        token_hash bytea NOT NULL,
        member_id uuid NOT NULL,
        by_provider boolean NOT NULL,
        seen_at timestamptz NOT NULL,
        ends_at timestamptz NOT NULL,
        CONSTRAINT console_sessions_pkey PRIMARY KEY (account_id, id)
      ) WITH (fillfactor = 50)`,
      'CREATE INDEX console_sessions_token_idx ON console_sessions (token_hash)',
      'CREATE INDEX console_sessions_member_idx ON console_sessions (member_id)',
      'CREATE INDEX console_sessions_end_idx ON console_sessions (ends_at)',

      // In a loaded copy nobody enters by them: some are used, or have ended, since.
      ...['links', 'sessions'].map((name) => `COMMENT ON TABLE console_${name} IS 'left out of dumps'`),
    ]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console_sessions, console_links, console_groups, console_members');
  }
}
