import { butOnCluster, InsertedRows, onCluster, timeOfId } from '../database/index.js';

/**
 * Fragments of SQL for statements of other rooms on the assignment log. Parameters are SQL expressions.
 */

/** What the log has of an assignment that is written. */
const LOG = {
  id: 'uuid',
  router_id: 'uuid',
  router_version: 'int',
  rule: 'text',
  step: 'smallint',
  object_id: 'uuid',
  user_id: 'uuid',
  previous_user_id: 'uuid',
  reason: 'text',
  message: 'text',
  rotation: 'text',
  team: 'text',
} as const;
const TRACE = { trace: 'json' } as const;

/**
 * An assignment that is written. The rotation and the team are keys, null when no rotation moved. It has no
 * user where the record keeps its owner.
 */
export interface NewAssignment extends Readonly<
  Record<Exclude<keyof typeof LOG, 'id'>, string | number | null>
> {
  readonly id: string;
  readonly trace: unknown;
}

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

/** What the counts have of the entries of a kind that a day has more. */
const COUNT = {
  day: 'date',
  router_id: 'uuid',
  rule: 'text',
  step: 'smallint',
  user_id: 'uuid',
  reason: 'text',
  entries: 'int',
} as const;

type CountedEntries = Readonly<Record<Exclude<keyof typeof COUNT, 'entries'>, unknown>>;

/** Counts assignments as `entriesByDay` does. */
function countsOf(assignments: readonly NewAssignment[]): (CountedEntries & { entries: number })[] {
  const counts = new Map<string, CountedEntries & { entries: number }>();
  for (const { id, router_id, rule, step, user_id, reason } of assignments) {
    const kind = { router_id, rule: rule ?? '', step: step ?? 0, user_id: user_id ?? NOBODY, reason };
    for (const day of [new Date(timeOfId(id)).toISOString().slice(0, 10), 'infinity']) {
      const key = JSON.stringify({ day, ...kind });
      const counted = counts.get(key);
      if (counted === undefined) counts.set(key, { day, ...kind, entries: 1 });
      else counted.entries += 1;
    }
  }
  return [...counts.values()];
}

/**
 * Statements that write assignments: the log, its traces and its counts. All rows that they change are of the
 * account, so whoever has its lock waits for nobody.
 * @param p SQL of the account, the object type and the instant @param first the number of a parameter
 */
export function writeAssignments(
  p: Readonly<Record<'account' | 'objectType' | 'at', string>>,
  first: number,
): WrittenAssignments {
  const logged = new InsertedRows(first, LOG);
  const traced = new InsertedRows(logged.next, TRACE);
  const counted = new InsertedRows(traced.next, COUNT);
  return {
    parts: {
      traced: {
        text: `INSERT INTO assignment_traces (account_id, id, ${traced.names})
          VALUES (${p.account}, unnest($${first}::uuid[]), ${traced.values})`,
      },
      counted: {
        text: `INSERT INTO assignment_days AS d (account_id, ${counted.names})
          VALUES (${p.account}, ${counted.values})
          ON CONFLICT ON CONSTRAINT assignment_days_pkey DO UPDATE SET entries = d.entries + excluded.entries`,
      },
      logged: {
        text: `INSERT INTO assignments (account_id, object_type, created_at, ${logged.names})
          VALUES (${p.account}, ${p.objectType}, ${p.at}, ${logged.values})`,
      },
    },
    next: counted.next,
    valuesOf: (assignments) => [
      ...logged.arraysOf(assignments),
      ...traced.arraysOf(assignments),
      ...counted.arraysOf(countsOf(assignments)),
    ],
  };
}

interface WrittenAssignments {
  /** By name. */
  readonly parts: Readonly<Record<string, { readonly text: string }>>;
  /** The number of the parameter behind theirs. */
  readonly next: number;
  readonly valuesOf: (assignments: readonly NewAssignment[]) => unknown[];
}

/**
 * Returns assignments at an instant, unless they are returned already, and says of which the turn is owed.
 * What they are charged is divided among the pool.
 * @param p.ids a uuid[] of those that are returned, and of those whose turns rotations have taken over
 * @param p.owed a uuid[] of those of them whose turns are owed from now on
 */
export const returnAssignments = (p: Readonly<Record<'account' | 'ids' | 'owed' | 'at', string>>): string =>
  `UPDATE assignments SET returned_at = COALESCE(returned_at, ${p.at}), turn_owed = assignments.id = ANY (${p.owed}::uuid[])
    ${butOnCluster(`FROM (SELECT ${p.account}::uuid AS account_id, id FROM unnest(${p.ids}::uuid[]) AS id OFFSET 0) AS given
      WHERE assignments.account_id = ANY (ARRAY[given.account_id]) AND assignments.id = given.id`)}
    ${onCluster(`WHERE assignments.account_id = ${p.account} AND assignments.id = ANY (${p.ids}::uuid[])`)}`;
