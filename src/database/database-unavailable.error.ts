import { errorCode } from './error-code.js';

/**
 * The database could not be reached, or the connection was lost, and nothing of the work has happened. It may
 * be run again.
 */
export class DatabaseUnavailableError extends Error {
  /** That of the cause. */
  readonly code: string | undefined;

  /**
   * @param cause the error of the driver
   * @param isOfConnection one connection has failed; another one may work
   */
  constructor(
    cause: unknown,
    readonly isOfConnection: boolean,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'DatabaseUnavailableError';
    this.code = errorCode(cause);
  }
}
