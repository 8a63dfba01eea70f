/**
 * Fragments of SQL for statements of other rooms on the table `returned_assignments`. Parameters are SQL
 * expressions.
 */

/**
 * The assignments that one transaction takes back as a relation, read from a JSON array of `{id, user,
 * assigned_at, router, rotation_key, team}`. `rotation_key` is null where no turn is left to be returned.
 */
export const takenBack = (json: string): string =>
  `SELECT * FROM jsonb_to_recordset(${json}::jsonb) AS taken
      (id uuid, "user" text, assigned_at timestamptz, router uuid, rotation_key text, team text)`;

/**
 * Returns the assignments of the relation of `takenBack`. What they are charged is divided among the pool.
 */
export const insertReturned = (relation: string, p: Readonly<Record<'account' | 'at', string>>): string =>
  `INSERT INTO returned_assignments
      (account_id, assignment_id, user_email, assigned_at, returned_at, router_id, rotation_key, team)
    SELECT ${p.account}, ${relation}.id, ${relation}."user", ${relation}.assigned_at, ${p.at}, ${relation}.router,
      ${relation}.rotation_key, ${relation}.team
    FROM ${relation}
    ON CONFLICT (account_id, assignment_id) DO NOTHING RETURNING assignment_id`;

/**
 * Marks the turns of a relation with `assignment_id` as returned in the log, for a release that knows no
 * returned assignments.
 * @param p.least no greater than any of the ids, so that PostgreSQL need not open earlier partitions
 */
export const markReturned = (relation: string, p: Readonly<Record<'account' | 'least', string>>): string =>
  `UPDATE assignments SET turn = NULL FROM ${relation}
    WHERE assignments.account_id = ${p.account} AND assignments.id = ${relation}.assignment_id
      AND assignments.id >= ${p.least}::uuid AND assignments.turn IS NOT NULL`;

/** Notes that rotations have taken returned turns over. @param ids a uuid[] of assignments */
export const settleTurns = (account: string, ids: string): string =>
  `UPDATE returned_assignments SET rotation_key = NULL
    WHERE account_id = ${account} AND assignment_id = ANY (${ids}::uuid[])`;
