import type { AccountDto } from '../account.dto.js';
import type { ApplyRun } from './apply-run.js';

/** One kind of thing that a configuration file can hold. Sections are applied in the order in which they refer to each other. */
export interface ApplySection {
  /** Creates and changes what the account mentions of this section; refuses through the run. */
  apply(run: ApplyRun, account: AccountDto): Promise<void>;
}

/** Injection token of the sections in the order they are applied. */
export const APPLY_SECTIONS = Symbol('ApplySections');
