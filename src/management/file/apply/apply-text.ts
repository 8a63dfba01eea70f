import type { FieldError } from '../../../errors/domain-error.js';
import { readConfigurationFile, type ReadFile } from '../configuration-file.js';
import { ConfigurationFileError } from '../configuration-file.error.js';
import type { AccountPlan } from '../plan.js';
import type { ApplyOptions } from './account-applier.js';
import type { ApplyService } from './apply.service.js';

/** Runs work with the service, connected to the database. */
export type WithApplyService = <T>(work: (service: ApplyService) => Promise<T>) => Promise<T>;

/**
 * Reads the text of a configuration file, and applies it.
 * @param withService is not called for a text that is no YAML
 * @throws ConfigurationFileError with the places of everything that is wrong with the file; without a
 *   database, of what is wrong with it by itself
 * @throws PartlyAppliedError as ApplyService, with places
 */
export async function applyText(
  text: string,
  withService: WithApplyService,
  options: ApplyOptions,
): Promise<AccountPlan[]> {
  const read = readConfigurationFile(text);
  try {
    if (read.errors.length > 0) throw new ConfigurationFileError(await problemsOf(read, withService));
    return await withService((service) => service.apply(read.file, options));
  } catch (error) {
    if (error instanceof ConfigurationFileError) error.locate(read.placeOf);
    throw error;
  }
}

function problemsOf(read: ReadFile, withService: WithApplyService): Promise<readonly FieldError[]> {
  return withService((service) => service.problems(read)).catch(() => read.errors);
}
