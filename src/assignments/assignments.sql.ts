import { homeId, homeRow } from '../accounts/index.js';
import { butOnCluster, onCluster } from '../database/index.js';
import { userNamed } from '../directory/index.js';

/**
 * Fragments of SQL for statements of other rooms on the assignment log. Parameters are SQL expressions.
 */

/**
 * The assignments of one transaction as a relation, read from a JSON array of `{id, router_id,
 * router_version, rule, step, object_id, user_id, user, previous_user, reason, message, trace, rotation,
 * team, by}`. `user` and `previous_user` are names as records store them. `rotation` and `team` are keys,
 * null when no rotation moved. `by` is for what else the statement writes.
 */
export const newAssignments = (json: string): string =>
  `SELECT * FROM json_to_recordset(${json}::json) AS assignment
      (id uuid, router_id uuid, router_version int, rule text, step smallint, object_id uuid, user_id uuid, "user" text,
        previous_user text, reason text, message text, trace json, rotation text, team text, by jsonb)`;

/** Stores the traces of the relation of `newAssignments`. @param given SQL of it @param account of its id */
export const insertTraces = (given: string, account: string): string =>
  `INSERT INTO assignment_traces (account_id, id, trace)
    SELECT ${homeId(account)}, given.id, given.trace FROM ${given} AS given ${homeRow(account)}`;

/** What tells the counts of a day apart, and those of all days, which have the day `infinity`. */
const KIND = 'router_id, rule, step, user_id, reason';
export const DAY_KEY = `day, ${KIND}`;

/** The day in UTC in which an id was made. Ids begin with the milliseconds since 1970. */
export const dayOf = (id: string): string =>
  `date '1970-01-01' + (('x' || left(translate(${id}::text, '-', ''), 12))::bit(48)::bigint / 86400000)::int`;

/** What stands in the counts for nobody. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The kind of an entry `a`, as the counts have it. */
export const KIND_OF_ENTRY = `a.router_id, COALESCE(a.rule, '') AS rule, COALESCE(a.step, 0::smallint) AS step,
        COALESCE(a.user_id, '${NOBODY}') AS user_id, a.reason`;

/** The counts of entries `a` by day, and of all their days. */
export const entriesByDay = (from: string): string =>
  `SELECT COALESCE(entry.day, 'infinity') AS day, ${KIND}, count(*)::int AS entries
    FROM (SELECT ${dayOf('a.id')} AS day, ${KIND_OF_ENTRY} FROM ${from}) AS entry
    GROUP BY GROUPING SETS ((entry.day, ${KIND}), (${KIND}))`;

/**
 * Adds the relation of `newAssignments` to the counts. All rows that it changes are of the account, so
 * whoever has its lock waits for nobody.
 */
export const countEntries = (given: string, account: string): string =>
  `INSERT INTO assignment_days AS d (account_id, ${DAY_KEY}, entries)
    SELECT ${homeId(account)}, counted.* FROM (${entriesByDay(`${given} AS a`)}) AS counted ${homeRow(account)}
    ON CONFLICT ON CONSTRAINT assignment_days_pkey DO UPDATE SET entries = d.entries + excluded.entries`;

/** Adds the relation of `newAssignments` to the log. */
export const insertAssignments = (
  given: string,
  p: Readonly<Record<'account' | 'objectType' | 'at', string>>,
): string =>
  `INSERT INTO assignments
      (account_id, id, router_id, router_version, rule, step, object_type, object_id, user_id, previous_user_id,
        reason, message, rotation, team, created_at)
    SELECT ${homeId(p.account)}, given.id, given.router_id, given.router_version, given.rule,
      given.step, ${p.objectType}, given.object_id, given.user_id,
      CASE WHEN given.previous_user IS NOT NULL THEN ${userNamed(p.account, 'given.previous_user')} END,
      given.reason, given.message, given.rotation, given.team, ${p.at}
    FROM ${given} AS given ${homeRow(p.account)}`;

/**
 * Returns assignments at an instant, unless they are returned already, and says of which the turn is owed.
 * What they are charged is divided among the pool.
 * @param p.ids a uuid[] of those that are returned, and of those whose turns rotations have taken over
 * @param p.owed a uuid[] of those of them whose turns are owed from now on
 */
export const returnAssignments = (p: Readonly<Record<'account' | 'ids' | 'owed' | 'at', string>>): string =>
  `UPDATE assignments SET returned_at = COALESCE(returned_at, ${p.at}), turn_owed = assignments.id = ANY (${p.owed}::uuid[])
    FROM (SELECT ${p.account}::uuid AS account_id, id FROM unnest(${p.ids}::uuid[]) AS id ${butOnCluster('OFFSET 0')}) AS given
    WHERE assignments.account_id = ANY (ARRAY[given.account_id]) AND assignments.id = given.id
      ${onCluster(`AND assignments.account_id = ${p.account}`)}`;
