/**
 * Notes in a row of a configuration the version in which it was changed, so that a process that knows an
 * earlier one reads only what has changed since (ADR 2). The database does it, whatever release writes.
 */
const stamp = (table: string): string =>
  `CREATE TRIGGER ${table}_stamp BEFORE INSERT OR UPDATE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION stamp_configuration()`;

/** What an account is configured with, but for its routers: users, teams, fields, capacities. */
export const CONFIGURATION = [
  // A transaction may raise the version before or after it writes a row.
  `CREATE FUNCTION stamp_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_in := COALESCE((SELECT config_version FROM accounts WHERE id = NEW.account_id), 0);
      RETURN NEW;
    END
  $$`,

  // `stored_as`: how rows name the user after the e-mail has changed; null for the e-mail itself (ADR 24).
  // `email_key`: the form in which e-mails are compared.
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
    changed_in bigint NOT NULL DEFAULT 0,
    stored_as text,
    email_key text NOT NULL,
    CONSTRAINT users_pkey PRIMARY KEY (account_id, id)
  )`,
  'CREATE UNIQUE INDEX users_email_key ON users (account_id, email_key)',
  'CREATE INDEX users_email_idx ON users (account_id, email)',
  'CREATE UNIQUE INDEX users_stored_as_key ON users (account_id, stored_as) WHERE stored_as IS NOT NULL',
  stamp('users'),

  // The name of an archived team or capacity may be taken by another. `name_key`: the form in which names are
  // compared.
  `CREATE TABLE teams (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    member_ids uuid[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    changed_in bigint NOT NULL DEFAULT 0,
    archived_at timestamptz,
    CONSTRAINT teams_pkey PRIMARY KEY (account_id, id)
  )`,
  'CREATE UNIQUE INDEX teams_active_name_key ON teams (account_id, name_key) WHERE archived_at IS NULL',
  stamp('teams'),

  // `target`: the type of record that a field of type `reference` names (contract, section 7).
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
    long boolean NOT NULL DEFAULT false,
    changed_in bigint NOT NULL DEFAULT 0,
    archived_at timestamptz,
    target text,
    indexed boolean NOT NULL DEFAULT false,
    CONSTRAINT field_definitions_pkey PRIMARY KEY (account_id, id)
  )`,
  `CREATE UNIQUE INDEX field_definitions_name_key ON field_definitions (account_id, object_type, internal_name)`,
  stamp('field_definitions'),

  // How many active records with certain values a user may own.
  `CREATE TABLE capacities (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    object_type text NOT NULL,
    field text NOT NULL,
    "values" text[] NOT NULL,
    users jsonb NOT NULL DEFAULT '[]',
    teams jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    changed_in bigint NOT NULL DEFAULT 0,
    archived_at timestamptz,
    CONSTRAINT capacities_pkey PRIMARY KEY (account_id, id)
  )`,
  'CREATE UNIQUE INDEX capacities_active_name_key ON capacities (account_id, name) WHERE archived_at IS NULL',
  stamp('capacities'),

  // The audit (contract, section 6). Entries are only added.
  `CREATE TABLE audit_entries (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    by_kind text NOT NULL,
    by_id uuid,
    by_name text NOT NULL,
    action text NOT NULL,
    object_kind text NOT NULL,
    object_id uuid NOT NULL,
    object_name text NOT NULL,
    changes jsonb NOT NULL,
    request_id text,
    CONSTRAINT audit_entries_pkey PRIMARY KEY (account_id, id)
  )`,
  'CREATE INDEX audit_entries_object_idx ON audit_entries (account_id, object_id, id)',
  'CREATE INDEX audit_entries_kind_idx ON audit_entries (account_id, object_kind, id)',
  'CREATE INDEX audit_entries_client_idx ON audit_entries (account_id, by_id, id) WHERE by_id IS NOT NULL',
  'CREATE INDEX audit_entries_command_idx ON audit_entries (account_id, by_name, id) WHERE by_id IS NULL',
  `CREATE FUNCTION keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'entries of the audit are never changed or deleted';
      END
    $$`,
  `CREATE TRIGGER audit_entries_keep BEFORE UPDATE OR DELETE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit()`,
  // TRUNCATE fires no trigger of UPDATE and DELETE.
  `CREATE TRIGGER audit_entries_keep_all BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION keep_audit()`,
];

/** Routers, their versions (ADR 22), and the turns of their users. */
export const ROUTERS = [
  // `version`: the number of what is live; null where that is no version. `draft`: what is not published yet.
  `CREATE TABLE routers (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    object_type text NOT NULL,
    published boolean NOT NULL DEFAULT false,
    settings jsonb,
    users jsonb NOT NULL DEFAULT '[]',
    teams jsonb NOT NULL DEFAULT '[]',
    archived_at timestamptz,
    archived_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    changed_in bigint NOT NULL DEFAULT 0,
    version integer,
    draft jsonb,
    CONSTRAINT routers_pkey PRIMARY KEY (account_id, id)
  )`,
  'CREATE UNIQUE INDEX routers_name_key ON routers (account_id, name_key) WHERE archived_at IS NULL',
  stamp('routers'),
  `CREATE TABLE router_versions (
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
  )`,

  // `key`: empty for the router's own rotation; `state`: the credits of its members, written under the
  // account's lock.
  `CREATE TABLE rotations (
    account_id uuid NOT NULL,
    router_id uuid NOT NULL,
    key text NOT NULL DEFAULT '',
    state jsonb NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT rotations_pkey PRIMARY KEY (account_id, router_id, key)
  ) WITH (fillfactor = 50)`,
];
