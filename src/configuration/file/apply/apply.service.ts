import { Inject, Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../../accounts/index.js';
import { Database, type Transaction } from '../../../database/index.js';
import type { AccountDto } from '../account.dto.js';
import type { ConfigurationFile } from '../configuration-file.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import type { AccountPlan } from '../plan.js';
import { AccountSection } from './account.section.js';
import { ApplyRun } from './apply-run.js';
import { APPLY_SECTIONS, type ApplySection } from './apply-section.js';

/** Thrown to roll a dry run back. */
class DryRun extends Error {}

/**
 * Applies a configuration file. Creates and changes what the file contains, and nothing else. Each account is
 * applied completely or not at all.
 */
@Injectable()
export class ApplyService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly account: AccountSection,
    @Inject(APPLY_SECTIONS) private readonly sections: readonly ApplySection[],
  ) {}

  /**
   * Applies the accounts in the order of the file. A second run with the same file changes nothing.
   * @param options.dryRun applies the file and rolls back, so that the plan is exact
   * @throws ConfigurationFileError listing what is wrong in the first account that cannot be applied; the
   *   accounts before it stay applied.
   */
  async apply(file: ConfigurationFile, { dryRun }: { dryRun: boolean }): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    for (const [index, dto] of file.accounts.entries()) {
      plans.push({ account: dto.slug, changes: await this.applyAccount(dto, `accounts[${index}]`, dryRun) });
    }
    return plans;
  }

  private async applyAccount(
    dto: AccountDto,
    path: string,
    dryRun: boolean,
  ): Promise<AccountPlan['changes']> {
    let changes: AccountPlan['changes'] = [];
    const work = async (tx: Transaction): Promise<void> => {
      changes = await this.run(tx, dto, path);
      if (dryRun) throw new DryRun();
    };
    await this.database.transaction(work, { long: true }).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
    return changes;
  }

  private async run(tx: Transaction, dto: AccountDto, path: string): Promise<AccountPlan['changes']> {
    await this.accounts.lockSlug(tx, dto.slug);
    const { account, created } = await this.account.open(tx, dto);
    const run = new ApplyRun(tx, account, path);
    if (created) run.created('account', dto.slug);
    for (const section of this.sections) await section.apply(run, dto);
    if (run.errors.length > 0) throw new ConfigurationFileError(run.errors);
    if (run.changes.length > 0) {
      // Dispatches wait for the commit only, and not for the work before it, which nobody sees until then.
      await this.accounts.lockConfiguration(tx, account);
      await this.accounts.raiseVersion(tx, account);
    }
    return run.changes;
  }
}
