/** The columns that say who made a change. @param by what the record says */
const author = (by: string): string =>
  `${by} ->> 'kind', (${by} ->> 'id')::uuid, (${by} ->> 'assignment')::uuid, ${by} ->> 'request'`;

/** Whether changes of a record are not kept. Null is SQL of others, whose changes are. */
const isOff = (by: string): string => `COALESCE(${by} ->> 'kind' = 'off', false)`;

const INSERT =
  'INSERT INTO record_changes (account_id, record_id, at, by_kind, by_id, assignment_id, request_id, changes)';

/** A record as one object: `archived`, which no field is called, and the fields, decompressed once. */
const stateOf = (record: string): string =>
  `jsonb_build_object('archived', ${record}.archived_at IS NOT NULL) || ${record}.fields`;

/** The creation of a record is kept, and stands in the record alone. */
const IS_NEW = `OLD.created_at = OLD.updated_at AND OLD.archived_at IS NULL AND OLD.changed_by ->> 'kind' <> 'off'`;

/**
 * Writes what a statement has changed of a record. The creation of a record is written with its first change,
 * even one that is not kept itself, and read from the record until then. A statement that does not say who
 * changes the record, of somebody else, leaves what was said of the change before it. It may leave the time
 * of that, too. To compare all and to write is one statement, which takes half the time of two. SQL of others
 * may give a record a time before its last change, or the same: `archived_at = now()` is that of the start of
 * the transaction. Its change comes behind those that are kept.
 */
const keepChange = (name: string, declared: string, write: { first: string; change: string }): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      author jsonb := NEW.changed_by;
      instant timestamptz := COALESCE(NEW.archived_at, NEW.updated_at);
      before jsonb := ${stateOf('OLD')};
      after jsonb := ${stateOf('NEW')};${declared}
    BEGIN
      IF ${IS_NEW} AND (NEW.created_at <> NEW.updated_at OR before <> after) THEN
        ${write.first}
      END IF;
      IF ${isOff('author')} THEN
        RETURN NULL;
      END IF;
      IF instant <= COALESCE(OLD.archived_at, OLD.updated_at) THEN
        instant := GREATEST(clock_timestamp(), COALESCE(OLD.archived_at, OLD.updated_at) + interval '1 microsecond');
      END IF;
      IF author IS NOT DISTINCT FROM OLD.changed_by THEN
        author := '{"kind": "system"}';
        SELECT GREATEST(instant, max(kept.at) + interval '1 microsecond') INTO instant FROM record_changes kept
          WHERE kept.account_id = NEW.account_id AND kept.record_id = NEW.id;
      END IF;
      ${write.change}
      RETURN NULL;
    END
  $$`;

const CREATED = {
  changes: 'jsonb_object_agg(field.key, jsonb_build_array(NULL, field.value))',
  from: 'FROM jsonb_each(OLD.fields) AS field HAVING count(*) > 0',
};
const CHANGED = {
  changes: 'jsonb_object_agg(name, jsonb_build_array(before -> name, after -> name))',
  from: `FROM jsonb_object_keys(before || after) AS name
        WHERE before -> name IS DISTINCT FROM after -> name HAVING count(*) > 0`,
};

const KEEP_CHANGE = keepChange('keep_record_change', '', {
  first: `${INSERT}
          SELECT OLD.account_id, OLD.id, OLD.created_at, ${author('OLD.changed_by')},
            ${CREATED.changes}
          ${CREATED.from}
          ON CONFLICT DO NOTHING;`,
  change: `${INSERT}
        SELECT NEW.account_id, NEW.id, instant, ${author('author')},
          ${CHANGED.changes}
        ${CHANGED.from};`,
});

/** As KEEP_CHANGE, in statements of values alone, as a trigger of a cluster sends them. */
export const KEEP_CHANGE_ON_CLUSTER = keepChange(
  'keep_record_change_on_cluster',
  `
      changed jsonb;`,
  {
    first: `SELECT ${CREATED.changes} INTO changed ${CREATED.from};
        IF changed IS NOT NULL THEN
          ${INSERT}
            VALUES (OLD.account_id, OLD.id, OLD.created_at, ${author('OLD.changed_by')}, changed)
            ON CONFLICT DO NOTHING;
        END IF;`,
    change: `SELECT ${CHANGED.changes} INTO changed
        ${CHANGED.from};
      IF changed IS NOT NULL THEN
        ${INSERT}
          VALUES (NEW.account_id, NEW.id, instant, ${author('author')}, changed);
      END IF;`,
  },
);

const KEEP = `CREATE TRIGGER records_keep_change AFTER UPDATE ON records
  FOR EACH ROW WHEN (NOT ${isOff('NEW.changed_by')} OR ${IS_NEW}) EXECUTE FUNCTION keep_record_change()`;

/** The history of records (contract, section 7). */
export const HISTORY = [
  `CREATE TABLE record_changes (
    account_id uuid NOT NULL,
    record_id uuid NOT NULL,
    at timestamptz NOT NULL,
    by_kind text NOT NULL,
    by_id uuid,
    assignment_id uuid,
    request_id text,
    changes jsonb NOT NULL,
    CONSTRAINT record_changes_pkey PRIMARY KEY (account_id, record_id, at)
  )`,
  'CREATE INDEX record_changes_at_idx ON record_changes (at)',
  KEEP_CHANGE,
  KEEP,
];
