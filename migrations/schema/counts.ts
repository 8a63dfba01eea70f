/** Rows of changes live for seconds. Without the dead ones, reading them stays fast. */
const VACUUMED = 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000';

const OWN_FIELD = '00000000-0000-0000-0000-000000000000';

/** The owner for whom an active record counts. */
const countedOwner = (record: string): string =>
  `CASE WHEN ${record}.archived_at IS NULL THEN ${record}.owner END`;

/**
 * Records with ids of the last two seconds are found by their ids. An older id is that of a record which
 * comes from elsewhere, or whose statement has waited.
 */
const IS_OLD = `left(NEW.id::text, 13) COLLATE "C" < left(recent, 8) || '-' || right(recent, 4)`;

/**
 * Writes a row for what a statement changes of a count. Nothing is updated, so no two statements wait for
 * each other.
 */
const COUNT_RECORDS = [
  `CREATE FUNCTION count_record() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text;
      after text;
      recent text;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        recent := lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 2000), 12, '0');
        IF ${IS_OLD} THEN
          INSERT INTO record_block_changes (account_id, object_type, record_id, total, archived)
            VALUES (NEW.account_id, NEW.object_type, NEW.id, 1, (NEW.archived_at IS NOT NULL)::int);
        END IF;
        after := ${countedOwner('NEW')};
      ELSIF TG_OP = 'UPDATE' THEN
        IF (OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL) THEN
          INSERT INTO record_block_changes (account_id, object_type, record_id, total, archived)
            VALUES (NEW.account_id, NEW.object_type, NEW.id, 0, CASE WHEN NEW.archived_at IS NULL THEN -1 ELSE 1 END);
        END IF;
        before := ${countedOwner('OLD')};
        after := ${countedOwner('NEW')};
        IF before IS NOT DISTINCT FROM after THEN
          RETURN NULL;
        END IF;
      ELSE
        INSERT INTO record_block_changes (account_id, object_type, record_id, total, archived)
          VALUES (OLD.account_id, OLD.object_type, OLD.id, -1, -(OLD.archived_at IS NOT NULL)::int);
        before := ${countedOwner('OLD')};
      END IF;
      IF before IS NOT NULL THEN
        INSERT INTO owned_count_changes (account_id, object_type, counter, owner, n)
          VALUES (OLD.account_id, OLD.object_type, '${OWN_FIELD}', before, -1);
      END IF;
      IF after IS NOT NULL THEN
        INSERT INTO owned_count_changes (account_id, object_type, counter, owner, n)
          VALUES (NEW.account_id, NEW.object_type, '${OWN_FIELD}', after, 1);
      END IF;
      RETURN NULL;
    END
  $$`,
  `CREATE TRIGGER records_count AFTER INSERT OR UPDATE OR DELETE ON records
    FOR EACH ROW EXECUTE FUNCTION count_record()`,
];

/** A condition: an active record with these fields has a value that the counter counts. */
const isCounted = (fields: string): string =>
  `(c.having_field IS NULL OR ${fields} ->> c.having_field = ANY (c.having_values))`;

/** The owner for whom a record counts. Both fields are null where there is no such record. */
const ownerOf = (record: string, fields: string): string =>
  `CASE WHEN ${record}.archived_at IS NULL AND ${isCounted(fields)} THEN ${fields} ->> c.owner_field END`;

/** The counters of the record's account and type. */
const COUNTERS = `FROM owned_counters c
        WHERE c.account_id = COALESCE(NEW.account_id, OLD.account_id)
          AND c.object_type = COALESCE(NEW.object_type, OLD.object_type)`;

/**
 * Writes a row for what a statement changes of a counter. Most accounts have no counters, and most statements
 * change none: a query finds out each, which is faster than a statement that inserts nothing. A concatenation
 * with an empty object decompresses long fields once, and not at each use.
 */
const COUNT_BY_FIELD = [
  `CREATE FUNCTION count_by_field() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before jsonb;
      after jsonb;
    BEGIN
      PERFORM ${COUNTERS} LIMIT 1;
      IF NOT FOUND THEN
        RETURN NULL;
      END IF;
      before := '{}'::jsonb || OLD.fields;
      after := '{}'::jsonb || NEW.fields;
      IF NOT EXISTS (SELECT ${COUNTERS}
          AND (${ownerOf('OLD', 'before')} IS DISTINCT FROM ${ownerOf('NEW', 'after')})) THEN
        RETURN NULL;
      END IF;
      INSERT INTO owned_count_changes (account_id, object_type, counter, owner, n)
        SELECT counted.account_id, counted.object_type, counted.counter, change.owner, change.n
        FROM (
          SELECT c.account_id, c.object_type, c.counter, ${ownerOf('OLD', 'before')} AS owner_before,
            ${ownerOf('NEW', 'after')} AS owner_after ${COUNTERS}
        ) AS counted
        CROSS JOIN LATERAL (VALUES (counted.owner_before, -1), (counted.owner_after, 1)) AS change (owner, n)
        WHERE counted.owner_before IS DISTINCT FROM counted.owner_after AND change.owner IS NOT NULL;
      RETURN NULL;
    END
  $$`,
  `CREATE TRIGGER records_count_by_field AFTER INSERT OR UPDATE OR DELETE ON records
    FOR EACH ROW EXECUTE FUNCTION count_by_field()`,
];

/** Counts of records (ADR 17), so that none has to be counted for a request. */
export const COUNTS = [
  // Records of a type in the order of their ids, without gaps: those with ids from first_id until before
  // end_id.
  `CREATE TABLE record_blocks (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    first_id uuid NOT NULL,
    end_id uuid NOT NULL,
    total integer NOT NULL,
    archived integer NOT NULL,
    CONSTRAINT record_blocks_pkey PRIMARY KEY (account_id, object_type, first_id)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE record_block_changes (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    record_id uuid NOT NULL,
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    total integer NOT NULL,
    archived integer NOT NULL,
    CONSTRAINT record_block_changes_pkey PRIMARY KEY (account_id, object_type, record_id, id)
  ) WITH (${VACUUMED})`,
  `CREATE TABLE owned_counts (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    counter uuid NOT NULL,
    owner text NOT NULL,
    n bigint NOT NULL,
    CONSTRAINT owned_counts_pkey PRIMARY KEY (account_id, object_type, counter, owner)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE owned_count_changes (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    counter uuid NOT NULL,
    owner text NOT NULL,
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    n bigint NOT NULL,
    CONSTRAINT owned_count_changes_pkey PRIMARY KEY (account_id, object_type, counter, owner, id)
  ) WITH (${VACUUMED})`,
  ...COUNT_RECORDS,

  // What users own by fields of their own, and what capacities count. The service adds the counters that the
  // configuration of an account needs.
  `CREATE TABLE owned_counters (
    account_id uuid NOT NULL,
    object_type text NOT NULL,
    counter uuid NOT NULL,
    owner_field text NOT NULL,
    having_field text,
    having_values text[],
    is_ready boolean NOT NULL DEFAULT false,
    CONSTRAINT owned_counters_pkey PRIMARY KEY (account_id, object_type, counter)
  )`,
  `CREATE INDEX owned_counters_new_idx ON owned_counters (account_id, object_type)
    WHERE NOT is_ready`,
  ...COUNT_BY_FIELD,
];
