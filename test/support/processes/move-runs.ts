import type { RoutingAccount } from '../routing-account.js';
import { sql } from '../database/stored-records.js';

/**
 * Sets the time of every assignment of the account to that instant. It changes the ids too, because ids sort
 * by time.
 */
export async function moveRuns({ service, slug }: RoutingAccount, to: string): Promise<void> {
  await sql(
    service,
    `WITH run AS (
       SELECT l.account_id, l.id, row_number() OVER (ORDER BY l.id) AS n
       FROM assignments l JOIN accounts a ON a.id = l.account_id WHERE a.slug = $1)
     UPDATE assignments l SET created_at = $2::timestamptz,
       id = uuid_v7($2::timestamptz + run.n * interval '1 microsecond')
     FROM run WHERE l.account_id = run.account_id AND l.id = run.id`,
    [slug, to],
  );
}

/** As `moveRuns`, to an instant that number of minutes ago. */
export function ageRuns(account: RoutingAccount, minutes: number): Promise<void> {
  return moveRuns(account, new Date(Date.now() - minutes * 60_000).toISOString());
}
