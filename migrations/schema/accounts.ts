/** Accounts, their clients, and what is kept of the requests of clients. */
export const ACCOUNTS = [
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
  'CREATE UNIQUE INDEX accounts_slug_key ON accounts (slug)',

  // The secret before works for a while beside the present one (contract, section 6).
  `CREATE TABLE api_clients (
    account_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    revoked_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    previous_secret_hash bytea,
    previous_secret_until timestamptz,
    CONSTRAINT api_clients_pkey PRIMARY KEY (account_id, id)
  )`,
  // A token request names only the client. The index is not unique, because a distributed table cannot
  // enforce that without the account.
  'CREATE INDEX api_clients_id_idx ON api_clients (id)',

  // What processes share of what they have counted for the throttles (ADR 21). It is unlogged, because a
  // count is worth nothing after a minute. Updates stay in their page, as no index has what they change.
  // `subject_id`: a client of the account, or the account itself.
  `CREATE UNLOGGED TABLE request_counts (
    account_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    requests integer NOT NULL,
    ends_at timestamptz NOT NULL,
    CONSTRAINT request_counts_pkey PRIMARY KEY (account_id, subject_id)
  ) WITH (fillfactor = 50)`,

  // Answers to requests with an idempotency key (ADR 30). `digest`: SHA-256 of the request; `headers`:
  // `Location` and `ETag`, where the answer has them; `body`: JSON.
  `CREATE TABLE idempotency_keys (
    account_id uuid NOT NULL,
    client_id uuid NOT NULL,
    key text NOT NULL,
    digest bytea NOT NULL,
    status smallint NOT NULL,
    headers jsonb NOT NULL,
    body text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (account_id, client_id, key)
  )`,
  'CREATE INDEX idempotency_keys_created_idx ON idempotency_keys (created_at)',
];
