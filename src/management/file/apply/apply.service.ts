import { Inject, Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../../accounts/index.js';
import { Database, type Transaction } from '../../../database/index.js';
import { commandAuthor, type Author } from '../../change/author.js';
import { ChangesService } from '../../change/changes.service.js';
import { ConfigurationChange, type ChangeOptions } from '../../change/configuration-change.js';
import type { PlannedChange } from '../../change/planned-change.js';
import type { AccountDto } from '../account.dto.js';
import type { ConfigurationFile } from '../configuration-file.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import { accountPlan, type AccountPlan } from '../plan.js';
import { AccountSection } from './account.section.js';
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
    private readonly changes: ChangesService,
    private readonly account: AccountSection,
    @Inject(APPLY_SECTIONS) private readonly sections: readonly ApplySection[],
  ) {}

  /**
   * Applies the accounts in the order of the file. A second run with the same file changes nothing.
   * @param options.dryRun applies the file and rolls back, so that the plan is exact
   * @param options.author whom the audit names; the command `apply` unless given
   * @throws ConfigurationFileError listing what is wrong in the first account that cannot be applied; the
   *   accounts before it stay applied.
   */
  async apply(
    file: ConfigurationFile,
    { dryRun, author = commandAuthor('apply') }: { readonly dryRun: boolean; readonly author?: Author },
  ): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    for (const [index, dto] of file.accounts.entries()) {
      const options = { author, path: `accounts[${index}]` };
      plans.push(accountPlan(dto.slug, await this.applyAccount(dto, options, dryRun)));
    }
    return plans;
  }

  private async applyAccount(
    dto: AccountDto,
    options: ChangeOptions,
    dryRun: boolean,
  ): Promise<readonly PlannedChange[]> {
    let changes: readonly PlannedChange[] = [];
    const work = async (tx: Transaction): Promise<void> => {
      changes = await this.run(tx, dto, options);
      if (dryRun) throw new DryRun();
    };
    await this.database.transaction(work, { long: true }).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
    return changes;
  }

  private async run(
    tx: Transaction,
    dto: AccountDto,
    options: ChangeOptions,
  ): Promise<readonly PlannedChange[]> {
    await this.accounts.lockSlug(tx, dto.slug);
    const { account, created } = await this.account.open(tx, dto);
    const change = new ConfigurationChange(tx, account, options);
    if (created) change.add('create', { kind: 'account', id: account.accountId, name: dto.slug });
    for (const section of this.sections) await section.apply(change, dto);
    if (change.errors.length > 0) throw new ConfigurationFileError(change.errors);
    await this.changes.complete(tx, change);
    return change.changes;
  }
}
