/** The owner of a record, as its fields have it. */
const owner = (record: string): string =>
  `(${record}.fields ->> CASE ${record}.object_type WHEN 'contacts' THEN 'contact_owner'
    WHEN 'companies' THEN 'company_owner' WHEN 'deals' THEN 'deal_owner' ELSE 'ticket_owner' END)`;

/** The records of all types. */
export const RECORDS = [
  // The column `fields` holds the values as the strings of clause 2.6. The unique keys also have their own
  // columns, because every PATCH would update an index on an expression over `fields`, and so has the owner.
  // `changed_by`: who made the last change, which the history is written from. fillfactor leaves space to
  // update a row in its page.
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
    owner text,
    changed_by text,
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

  // PostgreSQL fills the column of the owner where a write has not done so. The trigger runs after the write,
  // because one that runs before makes each update lock its record first. It has no WHEN, which PostgreSQL
  // prepares anew for each statement: that takes four times as long as the function.
  `CREATE FUNCTION fill_owner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.owner IS DISTINCT FROM ${owner('NEW')} THEN
        UPDATE records r SET owner = ${owner('r')}
          WHERE r.account_id = NEW.account_id AND r.object_type = NEW.object_type AND r.id = NEW.id;
      END IF;
      RETURN NULL;
    END
  $$`,
  `CREATE TRIGGER records_fill_owner AFTER INSERT OR UPDATE ON records
    FOR EACH ROW EXECUTE FUNCTION fill_owner()`,
];
