import { ConfigurationFileError } from '../configuration-file.error.js';
import type { AccountPlan } from '../plan.js';

const STATE = 'The accounts before it are applied, and none from it on';

/** The account that failed: its path in the file, and why. */
interface FailedAccount {
  readonly path: string;
  readonly error: unknown;
}

/** A configuration file of which the first accounts are applied, and the next one failed after the check. */
export class PartlyAppliedError extends ConfigurationFileError {
  /** @param plans of the accounts that are applied */
  constructor(
    readonly plans: readonly AccountPlan[],
    { path, error }: FailedAccount,
  ) {
    super(
      error instanceof ConfigurationFileError
        ? error.all
        : [{ field: path, message: error instanceof Error ? error.message : String(error) }],
    );
    this.name = 'PartlyAppliedError';
    this.cause = error;
    this.message = `${this.message}\n${STATE}`;
  }

  override get located(): string {
    return `${super.located}\n${STATE}`;
  }
}
