/**
 * Fragments of SQL for statements of other rooms on the table `assignments`. Parameters are SQL expressions.
 */

/** A UUIDv7 as `uuid_v7` of the database makes it. PostgreSQL starts a statement at each call of that. */
const idAt = (microseconds: string): string =>
  `(lpad(to_hex(${microseconds} / 1000), 12, '0') || to_hex(28672 + (${microseconds} % 1000) * 4096 / 1000)
      || substring(gen_random_uuid()::text FROM 20))::uuid`;

/**
 * The assignments of one transaction as a relation, read from a JSON array of `{n, router, router_version,
 * object_id, user, previous_user, reason, message, trace, turn, by}`, where `n` is the order of the
 * decisions, with an `id` for each. The ids sort in that order. `turn` is `{scope, team}`: the key of the
 * rotation and the key of the team, or null when no rotation moved. `by` is for what else the statement
 * writes.
 */
export const newAssignments = (json: string): string =>
  `SELECT ${idAt('clock.us')} AS id, assignment.* FROM jsonb_to_recordset(${json}::jsonb) AS assignment
      (n int, router uuid, router_version int, object_id uuid, "user" text, previous_user text, reason text, message text,
        trace jsonb, turn jsonb, by jsonb)
    CROSS JOIN LATERAL (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + assignment.n AS us) AS clock`;

/** Stores the traces of the relation of `newAssignments`. @param account SQL of its id */
export const insertTraces = (relation: string, account: string): string =>
  `INSERT INTO assignment_traces (account_id, id, trace)
    SELECT ${account}, ${relation}.id, ${relation}.trace FROM ${relation}`;

/** Adds the relation of `newAssignments` to the log and returns `id` and `object_id` of each assignment. */
export const insertAssignments = (
  relation: string,
  p: Readonly<Record<'account' | 'objectType' | 'at', string>>,
): string =>
  `INSERT INTO assignments
      (account_id, id, router_id, router_version, object_type, object_id, user_email, previous_user, reason, message,
        turn, created_at)
    SELECT ${p.account}, ${relation}.id, ${relation}.router, ${relation}.router_version, ${p.objectType},
      ${relation}.object_id, ${relation}."user", ${relation}.previous_user, ${relation}.reason, ${relation}.message,
      ${relation}.turn, ${p.at}
    FROM ${relation}
    RETURNING id, object_id`;
