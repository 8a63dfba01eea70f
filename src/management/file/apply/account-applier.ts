import { Inject, Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../../accounts/index.js';
import { Database, type Transaction } from '../../../database/index.js';
import { commandAuthor, type Author } from '../../change/author.js';
import { ChangesService } from '../../change/changes.service.js';
import { ConfigurationChange } from '../../change/configuration-change.js';
import type { AccountDto } from '../account.dto.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import { accountPlan, type AccountPlan } from '../plan.js';
import { PRUNERS, type Pruner } from '../prune/pruner.js';
import { AccountSection } from './account.section.js';
import { APPLY_SECTIONS, type ApplySection } from './apply-section.js';

/** Thrown to roll a dry run back. */
class DryRun extends Error {}

/** How a file is applied. */
export interface ApplyOptions {
  /** Applies the file and rolls back, so that the plan is exact. */
  readonly dryRun: boolean;
  /** Archives what the file leaves out of the sections that it has. Default false. */
  readonly prune?: boolean;
  /** Whom the audit names; the command `apply` unless given. */
  readonly author?: Author;
}

/** How an account of a file is applied. */
interface AccountOptions extends ApplyOptions {
  /** Of the account in the file. */
  readonly path: string;
}

/**
 * Applies one account of a configuration file: completely or not at all. Creates and changes what the file
 * contains, and nothing else unless it prunes.
 */
@Injectable()
export class AccountApplier {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly changes: ChangesService,
    private readonly account: AccountSection,
    @Inject(APPLY_SECTIONS) private readonly sections: readonly ApplySection[],
    @Inject(PRUNERS) private readonly pruners: readonly Pruner[],
  ) {}

  /** @throws ConfigurationFileError listing everything that is wrong in the account */
  async apply(dto: AccountDto, options: AccountOptions): Promise<AccountPlan> {
    let plan = accountPlan(dto.slug, []);
    const work = async (tx: Transaction): Promise<void> => {
      plan = await this.run(tx, dto, options);
      if (options.dryRun) throw new DryRun();
    };
    await this.database.transaction(work, { long: true }).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
    return plan;
  }

  private async run(
    tx: Transaction,
    dto: AccountDto,
    { author = commandAuthor('apply'), path, prune = false }: AccountOptions,
  ): Promise<AccountPlan> {
    await this.accounts.lockSlug(tx, dto.slug);
    const { account, created } = await this.account.open(tx, dto);
    const change = new ConfigurationChange(tx, account, { author, path });
    if (created) change.add('create', { kind: 'account', id: account.accountId, name: dto.slug });
    for (const section of this.sections) await section.apply(change, dto);
    // What is refused may be what takes a team out of use.
    if (prune && change.errors.length === 0) {
      for (const pruner of this.pruners) await pruner.prune(change, dto);
    }
    if (change.errors.length > 0) throw new ConfigurationFileError(change.errors);
    await this.changes.complete(tx, change);
    return accountPlan(dto.slug, change.changes);
  }
}
