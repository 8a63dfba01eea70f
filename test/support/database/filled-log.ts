import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { DAY_KEY, entriesByDay } from '../../../src/assignments/assignments.sql.js';
import { firstIdAt } from '../../../src/database/index.js';

/** An entry of the log as a test makes it. */
export interface MadeEntry {
  /** The instant of the decision. */
  readonly at: Date;
  /** Milliseconds by which the id is later. */
  readonly late?: number;
  readonly router: string;
  /** Id of the new owner. */
  readonly user?: string | null;
  /** Id of the record; the account's where it is not given. */
  readonly object?: string;
  readonly reason?: string;
  readonly rule?: string | null;
  readonly step?: number | null;
  readonly returned?: Date | null;
  readonly owed?: boolean;
}

/** Adds entries to the log of an account, and to its counts. @returns their ids, in the order given */
export async function fillLog(
  client: Pick<Client, 'query'>,
  accountId: string,
  entries: readonly MadeEntry[],
): Promise<string[]> {
  const rows = entries.map(({ at, late = 0, user = null, object = accountId, reason = 'round_robin', rule = null, step = null, returned = null, owed = false, router }) => ({
    id: firstIdAt(new Date(at.getTime() + late)).slice(0, 18) + randomUUID().slice(18),
    at, router, user, object, reason, rule, step, returned, owed,
  })); // prettier-ignore
  const added = `SELECT * FROM jsonb_to_recordset($2::jsonb) AS entry
      (id uuid, at timestamptz, router uuid, "user" uuid, object uuid, reason text, rule text, step smallint, returned timestamptz, owed boolean)`;
  await client.query(
    `WITH entry AS (${added}), a AS (
      INSERT INTO assignments (account_id, id, router_id, object_type, object_id, user_id, reason, rule, step, message,
        returned_at, turn_owed, created_at)
      SELECT $1, id, router, 'contacts', object, "user", reason, rule, step, 'x', returned, owed, at FROM entry RETURNING *),
    traced AS (INSERT INTO assignment_traces SELECT $1, id, '[]' FROM entry)
    INSERT INTO assignment_days AS d (account_id, ${DAY_KEY}, entries)
      SELECT $1, counted.* FROM (${entriesByDay('a')}) AS counted
      ON CONFLICT ON CONSTRAINT assignment_days_pkey DO UPDATE SET entries = d.entries + excluded.entries`,
    [accountId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}
