import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Creates the first schema. The primary key of every table starts with the account, so that the table can
 * later be partitioned or distributed by account. `records` and `assignments` have no foreign keys. A check
 * of the account's row on every write would make that row the most contended lock of the database. Their
 * statements select from `accounts` instead.
 */
export class CreateSchema1763700000000 implements MigrationInterface {
  name = 'CreateSchema1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['assignments', 'rotations', 'records', 'routers', 'teams', 'users']) {
      await runner.query(`DROP TABLE ${table}`);
    }
    for (const table of ['field_definitions', 'api_clients', 'accounts'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('DROP FUNCTION iso_utc(timestamptz)');
    await runner.query('DROP FUNCTION uuid_v7(timestamptz)');
  }
}

const UP = [
  // UUIDv7 (RFC 9562): 48 bits of milliseconds, then 12 bits of the fraction of a millisecond (method 3 of
  // section 6.2). Ids made by one database therefore sort in creation order. PostgreSQL has a built-in uuidv7
  // only from version 18.
  `CREATE FUNCTION uuid_v7(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT encode(
      overlay(
        overlay(uuid_send(gen_random_uuid())
          PLACING substring(int8send(us / 1000) FROM 3 FOR 6) FROM 1 FOR 6)
        PLACING substring(int8send(28672 + (us % 1000) * 4096 / 1000) FROM 7 FOR 2) FROM 7 FOR 2),
      'hex')::uuid
    FROM (SELECT (extract(epoch FROM at) * 1000000)::bigint AS us) AS clock
  $$`,
  // The one text form of an instant in stored fields: ISO 8601 UTC with milliseconds.
  `CREATE FUNCTION iso_utc(at timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  $$`,

  `CREATE TABLE accounts (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    holidays text[] NOT NULL DEFAULT '{}',
    suspended_at timestamptz,
    config_version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT accounts_pkey PRIMARY KEY (id)
  )`,
  `CREATE UNIQUE INDEX accounts_slug_key ON accounts (slug)`,

  `CREATE TABLE api_clients (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT api_clients_pkey PRIMARY KEY (account_id, id)
  )`,
  // A token request names only the client. The index is not unique, because a distributed table cannot
  // enforce that without the account.
  `CREATE INDEX api_clients_id_idx ON api_clients (id)`,

  `CREATE TABLE field_definitions (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    object_type text NOT NULL,
    internal_name text NOT NULL,
    label text NOT NULL,
    type text NOT NULL,
    options jsonb NOT NULL DEFAULT '[]',
    standard boolean NOT NULL DEFAULT false,
    position integer NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT field_definitions_pkey PRIMARY KEY (account_id, id)
  )`,
  `CREATE UNIQUE INDEX field_definitions_name_key ON field_definitions (account_id, object_type, internal_name)`,

  `CREATE TABLE users (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    name text,
    timezone text NOT NULL DEFAULT 'UTC',
    available boolean NOT NULL DEFAULT true,
    working_hours jsonb,
    out_of_office jsonb NOT NULL DEFAULT '[]',
    holidays text[] NOT NULL DEFAULT '{}',
    limits jsonb,
    archived_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT users_pkey PRIMARY KEY (account_id, id)
  )`,
  `CREATE UNIQUE INDEX users_email_key ON users (account_id, email)`,

  `CREATE TABLE teams (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    member_ids uuid[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT teams_pkey PRIMARY KEY (account_id, id)
  )`,
  `CREATE UNIQUE INDEX teams_name_key ON teams (account_id, name)`,

  `CREATE TABLE routers (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    object_type text NOT NULL,
    published boolean NOT NULL DEFAULT false,
    settings jsonb,
    users jsonb NOT NULL DEFAULT '[]',
    teams jsonb NOT NULL DEFAULT '[]',
    archived_at timestamptz,
    archived_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT routers_pkey PRIMARY KEY (account_id, id)
  )`,
  `CREATE UNIQUE INDEX routers_name_key ON routers (account_id, name) WHERE archived_at IS NULL`,

  // The column `fields` holds the values as the strings of clause 2.6. The unique keys also have their own
  // columns, because every PATCH would update an index on an expression over `fields`. fillfactor leaves
  // space to update a row in its page.
  `CREATE TABLE records (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    id uuid NOT NULL,
    fields jsonb NOT NULL,
    unique_key text,
    external_id text,
    archived_at timestamptz,
    archived_by text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT records_pkey PRIMARY KEY (account_id, object_type, id)
  ) WITH (fillfactor = 90)`,
  `CREATE UNIQUE INDEX records_unique_key_key ON records (account_id, object_type, unique_key)
    WHERE archived_at IS NULL AND unique_key IS NOT NULL`,
  `CREATE UNIQUE INDEX records_external_id_key ON records (account_id, object_type, external_id)
    WHERE archived_at IS NULL AND external_id IS NOT NULL`,
  // For lists and counts of active records. Their cost does not depend on the number of archived records.
  `CREATE INDEX records_active_idx ON records (account_id, object_type, id) WHERE archived_at IS NULL`,

  `CREATE TABLE rotations (
    account_id uuid NOT NULL,
    router_id uuid NOT NULL,
    key text NOT NULL DEFAULT '',
    state jsonb NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT rotations_pkey PRIMARY KEY (account_id, router_id, key)
  ) WITH (fillfactor = 50)`,

  `CREATE TABLE assignments (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    router_id uuid NOT NULL,
    object_type text NOT NULL,
    object_id uuid NOT NULL,
    user_email text,
    previous_user text,
    reason text NOT NULL,
    message text NOT NULL,
    trace jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT assignments_pkey PRIMARY KEY (account_id, id)
  )`,
];
