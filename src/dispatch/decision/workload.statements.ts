import type { Statement } from '../../database/index.js';

/**
 * $1 account, $2 e-mails. Keeps dispatches by other routers from giving anything to these users until the transaction
 * ends: their counts are about to be relied on. In one order everywhere, so that two such waits cannot deadlock.
 */
export const LOCK_USERS: Statement = {
  name: 'workload_lock_users',
  text: `SELECT pg_advisory_xact_lock(key) FROM (
      SELECT DISTINCT hashtextextended('user', 0) # hashtextextended($1::text || email, 0) AS key
      FROM unnest($2::text[]) AS email ORDER BY 1) AS locks`,
};

/**
 * $1 account, then arrays of the same length: $2 e-mails, $3 to $6 the starts of their hour, day, week and month, $7 the
 * least id that an assignment of the earliest of these can have. Ids sort by time, so the index is enough.
 * $8 the instant of a simulation, which counts nothing later; null for a dispatch, which counts all that is committed.
 */
export const COUNT_ASSIGNED: Statement = {
  name: 'workload_count_assigned',
  text: `SELECT span.email,
      count(*) FILTER (WHERE a.created_at >= span.hour)::int AS hour,
      count(*) FILTER (WHERE a.created_at >= span.day)::int AS day,
      count(*) FILTER (WHERE a.created_at >= span.week)::int AS week,
      count(*) FILTER (WHERE a.created_at >= span.month)::int AS month
    FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[], $7::uuid[])
      AS span (email, hour, day, week, month, first_id)
    JOIN assignments a ON a.account_id = $1 AND a.user_email = span.email AND a.id >= span.first_id
      AND a.created_at <= COALESCE($8::timestamptz, 'infinity')
    GROUP BY span.email`,
};

const counts = (name: string, owner: string, condition: string): Statement => ({
  name,
  text: `SELECT ${owner} AS email, count(*)::int AS count FROM records r
    WHERE r.account_id = $1 AND r.object_type = $2 AND r.archived_at IS NULL AND ${owner} = ANY ($3::text[]) ${condition}
    GROUP BY 1`,
});

/** $1 account, $2 object type, $3 e-mails. By the type's own owner field, which has an index. */
export const COUNT_OWNED = counts('workload_count_owned', 'r.owner', '');

/** As COUNT_OWNED, $4 field, $5 values. */
export const COUNT_IN_CAPACITY = counts(
  'workload_count_capacity',
  'r.owner',
  'AND r.fields ->> $4 = ANY ($5::text[])',
);

/** As COUNT_OWNED, $4 a custom owner field. Reads all active records of the type. */
export const COUNT_OWNED_BY_FIELD = counts('workload_count_owned_by_field', 'r.fields ->> $4', '');

/** As COUNT_IN_CAPACITY, $6 a custom owner field. */
export const COUNT_IN_CAPACITY_BY_FIELD = counts(
  'workload_count_capacity_by_field',
  'r.fields ->> $6',
  'AND r.fields ->> $4 = ANY ($5::text[])',
);
