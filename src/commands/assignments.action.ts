import { LogDeleter } from '../assignments/index.js';
import type { CommandContext } from './command-context.js';
import { FOUND_CHANGES } from './exit-codes.js';
import { findAccount } from './find-account.js';
import { withServices } from './with-services.js';

export interface DeleteFlags {
  /** Slug of the account. */
  readonly account: string;
  /** Days, at least `LEAST_RETENTION`. */
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

export async function deleteAssignments(
  context: CommandContext,
  { account: slug, olderThan: days, dryRun = false }: DeleteFlags,
): Promise<void> {
  await withServices(context, async (services) => {
    const account = await findAccount(services, slug);
    const deleter = services.get(LogDeleter, { strict: false });
    const entries = await (dryRun ? deleter.count(account, days) : deleter.delete(account, { days }));
    const what = `${entries} ${entries === 1 ? 'entry' : 'entries'} older than ${days} days`;
    context.print({ account: slug, dry_run: dryRun, older_than_days: days, entries }, [
      dryRun ? `would delete ${what}` : `deleted ${what}`,
    ]);
    if (dryRun && entries > 0) context.endWith(FOUND_CHANGES);
  });
}
