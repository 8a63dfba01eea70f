import type { ConfigurationChange } from '../../change/configuration-change.js';
import type { AccountDto } from '../account.dto.js';

/**
 * A section of a configuration file, such as its fields. A section is applied after those that it refers to.
 */
export interface ApplySection {
  /**
   * Creates and changes what the file contains of this section for the account. Reports errors to the change.
   */
  apply(change: ConfigurationChange, account: AccountDto): Promise<void>;
}

/** Injection token of the sections in the order in which they are applied. */
export const APPLY_SECTIONS = Symbol('ApplySections');
