import { Inject, Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../../accounts/index.js';
import { Database, type Transaction } from '../../../database/index.js';
import { commandAuthor, type Author } from '../../change/author.js';
import { ChangesService } from '../../change/changes.service.js';
import { ConfigurationChange } from '../../change/configuration-change.js';
import type { PlannedChange } from '../../change/planned-change.js';
import type { FieldError } from '../../../errors/domain-error.js';
import type { AccountDto } from '../account.dto.js';
import type { ConfigurationFile, ReadFile } from '../configuration-file.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import { accountPlan, type AccountPlan } from '../plan.js';
import { isTold, soundFile } from '../sound-file.js';
import { AccountSection } from './account.section.js';
import { PRUNERS, type Pruner } from '../prune/pruner.js';
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
 * Applies a configuration file. Creates and changes what the file contains, and nothing else unless it
 * prunes. Each account is applied completely or not at all.
 */
@Injectable()
export class ApplyService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly changes: ChangesService,
    private readonly account: AccountSection,
    @Inject(APPLY_SECTIONS) private readonly sections: readonly ApplySection[],
    @Inject(PRUNERS) private readonly pruners: readonly Pruner[],
  ) {}

  /**
   * Applies the accounts in the order of the file. A second run with the same file changes nothing.
   * @throws ConfigurationFileError listing what is wrong in the first account that cannot be applied; the
   *   accounts before it stay applied.
   */
  async apply(file: ConfigurationFile, options: ApplyOptions): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    for (const [index, dto] of file.accounts.entries()) {
      const changes = await this.applyAccount(dto, { ...options, path: `accounts[${index}]` });
      plans.push(accountPlan(dto.slug, changes));
    }
    return plans;
  }

  /**
   * Returns everything that is wrong with a refused file: `errors`, and what the accounts refuse of what is
   * left without the keys that fail. Writes nothing.
   */
  async problems({ file, errors }: Pick<ReadFile, 'file' | 'errors'>): Promise<FieldError[]> {
    const sound = soundFile(file, errors);
    const problems = [...errors];
    for (const [index, dto] of sound.file.accounts.entries()) {
      const options = { dryRun: true, path: `accounts[${index}]` };
      await this.applyAccount(dto, options).catch((error: unknown) => {
        if (!(error instanceof ConfigurationFileError)) throw error;
        const found = error.errors.map(({ field = '', ...rest }) => ({
          ...rest,
          field: sound.pathOf(field),
        }));
        problems.push(...found.filter(({ field }) => !isTold(field, errors)));
      });
    }
    return problems;
  }

  private async applyAccount(dto: AccountDto, options: AccountOptions): Promise<readonly PlannedChange[]> {
    let changes: readonly PlannedChange[] = [];
    const work = async (tx: Transaction): Promise<void> => {
      changes = await this.run(tx, dto, options);
      if (options.dryRun) throw new DryRun();
    };
    await this.database.transaction(work, { long: true }).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
    return changes;
  }

  private async run(
    tx: Transaction,
    dto: AccountDto,
    { author = commandAuthor('apply'), path, prune = false }: AccountOptions,
  ): Promise<readonly PlannedChange[]> {
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
    return change.changes;
  }
}
