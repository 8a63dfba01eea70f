import { Command } from 'commander';
import type { AccountCheck } from '../accounts/index.js';
import type { CommandContext } from './command-context.js';
import { FOUND_CHANGES, table } from './command-output.js';
import { listAccounts, withServices } from './with-services.js';

interface Checked {
  readonly account: string;
  readonly check: string;
  readonly compared: number;
  readonly wrong: number;
  readonly repaired: boolean;
}

interface CheckFlags {
  readonly account?: string;
  readonly dryRun?: boolean;
}

/** `check`: compares what is kept beside the data of accounts with the data, and repairs what is wrong. */
export function checkCommand(context: CommandContext): Command {
  return new Command('check')
    .description('compare the counts that are kept with what they count, and repair those that are wrong')
    .option('--account <slug>', 'this account only')
    .option('--dry-run', 'repair nothing; exit with 2 where something is wrong')
    .action((flags: CheckFlags) => checkAccounts(context, flags));
}

/** The checks, each of its own room. */
async function allChecks(): Promise<readonly (new (...services: never[]) => AccountCheck)[]> {
  const { RecordCountsCheck } = await import('../records/index.js');
  const { LogCheck } = await import('../assignments/index.js');
  return [RecordCountsCheck, LogCheck];
}

async function checkAccounts(
  context: CommandContext,
  { account: slug, dryRun = false }: CheckFlags,
): Promise<void> {
  await withServices(context, async (services) => {
    const all = await listAccounts(services);
    const accounts = all.filter((each) => slug === undefined || each.slug === slug);
    if (slug !== undefined && accounts.length === 0) throw new Error(`There is no account ${slug}`);
    const types = await allChecks();
    const checks: Checked[] = [];
    for (const each of accounts) {
      for (const type of types) {
        const check = services.get<AccountCheck>(type, { strict: false });
        const { compared, wrong } = await check.compare({ accountId: each.id });
        const repaired = wrong > 0 && !dryRun;
        if (repaired) await check.repair({ accountId: each.id });
        checks.push({ account: each.slug, check: check.subject, compared, wrong, repaired });
      }
    }
    context.output.print({ dry_run: dryRun, checks }, describe(checks));
    if (dryRun && checks.some(({ wrong }) => wrong > 0)) context.output.exitCode = FOUND_CHANGES;
  });
}

function describe(checks: readonly Checked[]): string[] {
  const rows = checks.map(({ account, check, compared, wrong, repaired }) => [
    account,
    check,
    compared,
    wrong,
    wrong === 0 ? 'right' : repaired ? 'repaired' : 'wrong',
  ]);
  return table(['ACCOUNT', 'CHECK', 'COMPARED', 'WRONG', 'STATE'], rows);
}
