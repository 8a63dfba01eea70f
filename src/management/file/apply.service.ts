import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../errors/domain-error.js';
import { AccountFiles, type ApplyOptions } from './account-files.js';
import { placesIn, type ConfigurationFile } from './configuration-file.js';
import { ConfigurationFileError, PartlyAppliedError } from './configuration-file.error.js';
import type { AccountPlan } from './plan.js';

/** Applies a configuration file, each account in a transaction of its own. */
@Injectable()
export class ApplyService {
  constructor(private readonly accounts: AccountFiles) {}

  /**
   * Applies the accounts in the order of the file. A second run with the same file changes nothing. All
   * accounts of a file with several are checked before the first is written.
   * @throws ConfigurationFileError listing what is wrong in all accounts, of which none is applied then, with
   *   its places where the file was read by `parseConfigurationFile`
   * @throws PartlyAppliedError where an account cannot be applied any more after the check, and others are
   */
  async apply(file: ConfigurationFile, options: ApplyOptions): Promise<AccountPlan[]> {
    try {
      // The transaction of a lone account finds everything by itself.
      if (!options.dryRun && file.accounts.length > 1) await this.run(file, { ...options, dryRun: true });
      return await this.run(file, options);
    } catch (error) {
      throw error instanceof ConfigurationFileError ? error.locate(placesIn(file)) : error;
    }
  }

  /** Applies each account. What fails of one is thrown at once, that of a dry run with what else does. */
  private async run({ accounts }: ConfigurationFile, options: ApplyOptions): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    const errors: FieldError[] = [];
    for (const [index, dto] of accounts.entries()) {
      const path = `accounts[${index}]`;
      try {
        plans.push(await this.accounts.apply(dto, { ...options, path }));
      } catch (error) {
        if (!options.dryRun) throw plans.length === 0 ? error : new PartlyAppliedError(plans, path, error);
        if (!(error instanceof ConfigurationFileError)) throw error;
        errors.push(...error.all);
      }
    }
    if (errors.length > 0) throw new ConfigurationFileError(errors);
    return plans;
  }
}
