/** The records of all types. */
export const RECORDS = [
  // The column `fields` holds the values as the strings of clause 2.6. The unique keys and the owner have
  // generated columns, because every PATCH would update an index on an expression over `fields`. PostgreSQL
  // makes them after BEFORE triggers, so triggers that read them are AFTER triggers. `changed_by`: who made
  // the last change, which the history is written from. `key_form`: the form in which an e-mail is compared
  // as a key, where that is not the stored one. fillfactor leaves space to update a row in its page.
  `CREATE TABLE records (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    id uuid NOT NULL,
    fields jsonb NOT NULL,
    key_form text,
    unique_key text GENERATED ALWAYS AS (CASE object_type WHEN 'contacts' THEN COALESCE(key_form, fields ->> 'email')
      WHEN 'companies' THEN fields ->> 'website_url' END) STORED,
    external_id text GENERATED ALWAYS AS (fields ->> 'external_id') STORED,
    archived_at timestamptz,
    archived_by text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    owner text GENERATED ALWAYS AS (fields ->> CASE object_type WHEN 'contacts' THEN 'contact_owner'
      WHEN 'companies' THEN 'company_owner' WHEN 'deals' THEN 'deal_owner' WHEN 'tickets' THEN 'ticket_owner' END) STORED,
    changed_by jsonb,
    CONSTRAINT records_pkey PRIMARY KEY (account_id, object_type, id)
  ) WITH (fillfactor = 90)`,
  `CREATE UNIQUE INDEX records_unique_key_key ON records (account_id, object_type, unique_key)
    WHERE archived_at IS NULL AND unique_key IS NOT NULL`,
  `CREATE UNIQUE INDEX records_external_id_key ON records (account_id, object_type, external_id)
    WHERE archived_at IS NULL AND external_id IS NOT NULL`,
  // For keys that are not stored in the form in which they are compared.
  ...['unique_key', 'external_id'].map(
    (key) => `CREATE INDEX records_odd_${key}_idx ON records (account_id, object_type, search_text(${key}))
      WHERE archived_at IS NULL AND ${key} IS NOT NULL AND search_text(${key}) <> ${key}`,
  ),
  // For lists and counts of active records. Their cost does not depend on the number of archived records.
  'CREATE INDEX records_active_idx ON records (account_id, object_type, id) WHERE archived_at IS NULL',
  `CREATE INDEX records_owner_id_idx ON records (account_id, object_type, owner, id)
    WHERE archived_at IS NULL AND owner IS NOT NULL`,
];
