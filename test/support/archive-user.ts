import type { RoutingAccount } from './routing-account.js';
import { sql } from './database/stored-records.js';

/** Archives a user of the account, even if routers or teams still name the user. */
export async function archiveUser({ service, slug }: RoutingAccount, email: string): Promise<void> {
  await sql(
    service,
    `WITH account AS (UPDATE accounts SET config_version = config_version + 1 WHERE slug = $1 RETURNING id)
     UPDATE users SET archived_at = now() FROM account WHERE account_id = account.id AND email = $2`,
    [slug, email],
  );
}
