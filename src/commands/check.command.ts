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
  /** The first that are wrong and that a person has to mend. */
  readonly found?: readonly string[];
}

interface CheckFlags {
  readonly account?: string;
  readonly repair?: boolean;
}

/** `check`: compares what is kept beside the data of accounts with the data, and the data with the rules. */
export function checkCommand(context: CommandContext): Command {
  return new Command('check')
    .description(
      'compare the counts that are kept with what they count; find values that could not be stored now',
    )
    .option('--account <slug>', 'this account only')
    .option('--repair', 'count anew what is counted wrong')
    .action(async (flags: CheckFlags) => {
      const checks = await checkAccounts(context, flags);
      context.output.print({ checks }, describe(checks));
      if (checks.some(({ wrong, repaired }) => wrong > 0 && !repaired))
        context.output.exitCode = FOUND_CHANGES;
    });
}

/** The checks, each of its own room. */
async function allChecks(): Promise<readonly (new (...services: never[]) => AccountCheck)[]> {
  const { RecordCountsCheck, StoredValuesCheck } = await import('../records/index.js');
  const { LogCheck } = await import('../assignments/index.js');
  const { AbsencesCheck } = await import('../directory/index.js');
  return [RecordCountsCheck, LogCheck, StoredValuesCheck, AbsencesCheck];
}

function checkAccounts(context: CommandContext, flags: CheckFlags): Promise<Checked[]> {
  const { account: wanted, repair = false } = flags;
  return withServices(context, async (services) => {
    const all = await listAccounts(services);
    const accounts = all.filter(({ slug }) => wanted === undefined || slug === wanted);
    if (wanted !== undefined && accounts.length === 0) throw new Error(`There is no account ${wanted}`);
    const types = await allChecks();
    const checks: Checked[] = [];
    for (const { id: accountId, slug: account } of accounts) {
      for (const type of types) {
        const check = services.get<AccountCheck>(type, { strict: false });
        const result = await check.compare({ accountId });
        const repaired = result.wrong > 0 && repair && check.repair !== undefined;
        if (repaired) await check.repair?.({ accountId });
        checks.push({ account, check: check.subject, ...result, repaired });
      }
    }
    return checks;
  });
}

function describe(checks: readonly Checked[]): string[] {
  const rows = checks.map(({ account, check, compared, wrong, repaired }) => {
    const state = repaired ? 'repaired' : wrong > 0 ? 'wrong' : 'right';
    return [account, check, compared, wrong, state];
  });
  const found = checks.flatMap((each) => each.found?.map((sentence) => `${each.account}: ${sentence}`) ?? []);
  return [...table(['ACCOUNT', 'CHECK', 'COMPARED', 'WRONG', 'STATE'], rows), ...found];
}
