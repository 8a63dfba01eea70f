import { AccountsRepository, type AccountCheck } from '../accounts/index.js';
import { LogCheck } from '../assignments/index.js';
import { Database } from '../database/index.js';
import { RecordCountsCheck } from '../records/index.js';
import type { CommandContext } from './command-context.js';
import { FOUND_CHANGES } from './exit-codes.js';
import { table } from './printer.js';
import { withServices } from './with-services.js';

/** The checks, each of its own room. */
const CHECKS: readonly (new (...services: never[]) => AccountCheck)[] = [RecordCountsCheck, LogCheck];

interface Checked {
  readonly account: string;
  readonly check: string;
  readonly compared: number;
  readonly wrong: number;
  readonly repaired: boolean;
}

export interface CheckFlags {
  readonly account?: string;
  readonly dryRun?: boolean;
}

export async function checkAccounts(
  context: CommandContext,
  { account: slug, dryRun = false }: CheckFlags,
): Promise<void> {
  await withServices(context, async (services) => {
    const repository = services.get(AccountsRepository, { strict: false });
    const all = await services.get(Database).read((db) => repository.list(db));
    const accounts = all.filter((each) => slug === undefined || each.slug === slug);
    if (slug !== undefined && accounts.length === 0) throw new Error(`There is no account ${slug}`);
    const checks: Checked[] = [];
    for (const each of accounts) {
      for (const type of CHECKS) {
        const check = services.get<AccountCheck>(type, { strict: false });
        const { compared, wrong } = await check.compare({ accountId: each.id });
        const repaired = wrong > 0 && !dryRun;
        if (repaired) await check.repair({ accountId: each.id });
        checks.push({ account: each.slug, check: check.subject, compared, wrong, repaired });
      }
    }
    context.print({ dry_run: dryRun, checks }, describe(checks));
    if (dryRun && checks.some(({ wrong }) => wrong > 0)) context.endWith(FOUND_CHANGES);
  });
}

function describe(checks: readonly Checked[]): string[] {
  const rows = checks.map(({ account, check, compared, wrong, repaired }) => [
    account,
    check,
    String(compared),
    String(wrong),
    wrong === 0 ? 'right' : repaired ? 'repaired' : 'wrong',
  ]);
  return table(['ACCOUNT', 'CHECK', 'COMPARED', 'WRONG', 'STATE'], rows);
}
