import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../../errors/domain-error.js';
import type { AccountDto } from '../account.dto.js';
import type { ConfigurationFile, ReadFile } from '../configuration-file.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import type { AccountPlan } from '../plan.js';
import { isTold, soundFile } from '../sound-file.js';
import { AccountApplier, type ApplyOptions } from './account-applier.js';
import { PartlyAppliedError } from './partly-applied.error.js';

/** Applies a configuration file, each account in a transaction of its own. */
@Injectable()
export class ApplyService {
  constructor(private readonly accounts: AccountApplier) {}

  /**
   * Applies the accounts in the order of the file. A second run with the same file changes nothing. All
   * accounts of a file with several are checked before the first is written.
   * @throws ConfigurationFileError listing what is wrong in all accounts, of which none is applied then
   * @throws PartlyAppliedError where an account cannot be applied any more after the check, and others are
   */
  async apply({ accounts }: ConfigurationFile, options: ApplyOptions): Promise<AccountPlan[]> {
    // The transaction of a lone account finds everything by itself.
    if (!options.dryRun && accounts.length === 1) return this.write(accounts, options);
    const { plans, errors } = await this.check(accounts, options);
    if (errors.length > 0) throw new ConfigurationFileError(errors);
    return options.dryRun ? plans : this.write(accounts, options);
  }

  /**
   * Returns everything that is wrong with a refused file: `errors`, and what the accounts refuse of what is
   * left without the keys that fail. Writes nothing.
   */
  async problems({ file, errors }: Pick<ReadFile, 'file' | 'errors'>): Promise<FieldError[]> {
    const sound = soundFile(file, errors);
    const found = await this.check(sound.file.accounts, {});
    const located = found.errors.map(({ field = '', ...rest }) => ({ ...rest, field: sound.pathOf(field) }));
    return [...errors, ...located.filter(({ field }) => !isTold(field, errors))];
  }

  /** Applies each account and rolls it back. @returns the plans of those that can be, and all errors */
  private async check(
    accounts: readonly AccountDto[],
    options: Omit<ApplyOptions, 'dryRun'>,
  ): Promise<{ plans: AccountPlan[]; errors: FieldError[] }> {
    const plans: AccountPlan[] = [];
    const errors: FieldError[] = [];
    for (const [index, dto] of accounts.entries()) {
      try {
        plans.push(await this.accounts.apply(dto, { ...options, dryRun: true, path: pathOf(index) }));
      } catch (error) {
        if (!(error instanceof ConfigurationFileError)) throw error;
        errors.push(...error.all);
      }
    }
    return { plans, errors };
  }

  private async write(accounts: readonly AccountDto[], options: ApplyOptions): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    for (const [index, dto] of accounts.entries()) {
      const path = pathOf(index);
      try {
        plans.push(await this.accounts.apply(dto, { ...options, path }));
      } catch (error) {
        if (plans.length === 0) throw error;
        throw new PartlyAppliedError(plans, { path, error });
      }
    }
    return plans;
  }
}

function pathOf(index: number): string {
  return `accounts[${index}]`;
}
