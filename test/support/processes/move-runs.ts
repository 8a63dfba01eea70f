import type { RoutingAccount } from '../routing-account.js';
import { sql } from '../database/stored-records.js';

/**
 * Sets the time of every assignment of the account to that instant. It changes the ids too, because ids sort
 * by time.
 */
export async function moveRuns({ service, slug }: RoutingAccount, to: string): Promise<void> {
  const { accountId } = await service.account(slug);
  const runs = await sql<{ id: string; moved: string }>(
    service,
    `SELECT id, uuid_v7($2::timestamptz + row_number() OVER (ORDER BY id) * interval '1 microsecond') AS moved
     FROM assignments WHERE account_id = $1`,
    [accountId, to],
  );
  await sql(
    service,
    `UPDATE assignments l SET created_at = $2::timestamptz, id = run.moved
     FROM unnest($3::uuid[], $4::uuid[]) AS run (id, moved) WHERE l.account_id = $1 AND l.id = run.id`,
    [accountId, to, runs.map(({ id }) => id), runs.map(({ moved }) => moved)],
  );
}

/** As `moveRuns`, to an instant that number of minutes ago. */
export function ageRuns(account: RoutingAccount, minutes: number): Promise<void> {
  return moveRuns(account, new Date(Date.now() - minutes * 60_000).toISOString());
}
