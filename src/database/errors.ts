/** Returns the `code` of a system or SQL error (`ENOENT`, `57P03`), or undefined when `error` has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

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

/** Work has waited for as long as it may, and nothing of it has happened. The cause may be a queue. */
export class NoAnswerError extends DatabaseUnavailableError {
  constructor() {
    super(new Error('The database does not answer in time'), false);
    this.name = 'NoAnswerError';
  }
}

/** A write was sent and its answer was lost: it may have happened. */
export class OutcomeUnknownError extends Error {
  /** @param cause how the answer was lost */
  constructor(cause: unknown) {
    super(`The outcome of a write is unknown: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'OutcomeUnknownError';
  }
}

/** No host of an address has given a connection that may be used. */
export class NoHostError extends AggregateError {
  /** As of a server that starts. */
  readonly code = '57P03';

  /** @param errors what each has answered, with its name */
  constructor(errors: readonly Error[]) {
    super(errors, errors.map(({ message }) => message).join('; '));
    this.name = 'NoHostError';
  }
}

/** Returns the error of a connection. @param variable the one that says where the database is */
export function cannotConnect(variable: 'DATA_DIR' | 'DATABASE_URL', error: unknown): Error {
  return new Error(`Cannot connect to the database at ${variable}: ${reasonOf(error)}`, { cause: error });
}

/** Returns the message of what was thrown. That of the driver contains the host, never the password. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error per address and an empty message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Rolls a dry run back, and carries what its work has returned. */
export class Undone extends Error {
  constructor(readonly result: unknown) {
    super('Dry run');
  }
}
