import type { ConfigurationChange } from '../../change/configuration-change.js';
import type { AccountDto } from '../account.dto.js';

/** Archives what a section of a configuration file leaves out. */
export interface Pruner {
  /** Does nothing where the file has no such section. Reports to the change what is in use. */
  prune(change: ConfigurationChange, account: AccountDto): Promise<void>;
}

/** Injection token of the pruners in their order: what refers to others comes before them. */
export const PRUNERS = Symbol('Pruners');
