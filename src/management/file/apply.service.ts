import { Injectable } from '@nestjs/common';
import type { FieldError } from '../../errors/domain-error.js';
import { AccountApplier, type ApplyOptions } from './account-applier.js';
import type { AccountDto } from './account.dto.js';
import { readConfigurationFile, type ConfigurationFile } from './configuration-file.js';
import { ConfigurationFileError, PartlyAppliedError } from './configuration-file.error.js';
import type { AccountPlan } from './plan.js';

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
    const isLone = accounts.length === 1 && !options.dryRun;
    const checked = isLone ? [] : await this.check(accounts, options);
    return options.dryRun ? checked : this.write(accounts, options);
  }

  /** Applies each account and rolls it back. @throws ConfigurationFileError with all that is wrong */
  private async check(accounts: readonly AccountDto[], options: ApplyOptions): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    const errors: FieldError[] = [];
    for (const [index, dto] of accounts.entries()) {
      try {
        plans.push(await this.accounts.apply(dto, { ...options, dryRun: true, path: `accounts[${index}]` }));
      } catch (error) {
        if (!(error instanceof ConfigurationFileError)) throw error;
        errors.push(...error.all);
      }
    }
    if (errors.length > 0) throw new ConfigurationFileError(errors);
    return plans;
  }

  private async write(accounts: readonly AccountDto[], options: ApplyOptions): Promise<AccountPlan[]> {
    const plans: AccountPlan[] = [];
    for (const [index, dto] of accounts.entries()) {
      const path = `accounts[${index}]`;
      try {
        plans.push(await this.accounts.apply(dto, { ...options, path }));
      } catch (error) {
        throw plans.length === 0 ? error : new PartlyAppliedError(plans, { path, error });
      }
    }
    return plans;
  }
}

/** Runs work with the service, connected to the database. */
export type WithApplyService = <T>(work: (service: ApplyService) => Promise<T>) => Promise<T>;

/**
 * Reads the text of a configuration file, and applies it.
 * @param withService is not called for a file that is wrong by itself
 * @throws ConfigurationFileError with the places of everything that is wrong with the file by itself, or else
 *   of what the account refuses
 * @throws PartlyAppliedError as ApplyService, with places
 */
export async function applyText(
  text: string,
  withService: WithApplyService,
  options: ApplyOptions,
): Promise<AccountPlan[]> {
  const { file, placeOf } = readConfigurationFile(text);
  try {
    return await withService((service) => service.apply(file, options));
  } catch (error) {
    if (error instanceof ConfigurationFileError) error.locate(placeOf);
    throw error;
  }
}
