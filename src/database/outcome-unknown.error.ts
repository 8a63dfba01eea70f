/** A write was sent, its answer was lost, and it could not be found out whether it has happened. */
export class OutcomeUnknownError extends Error {
  /** @param cause why it could not be found out, or how the answer was lost */
  constructor(cause?: unknown) {
    const reason = cause instanceof Error ? `: ${cause.message}` : '';
    super(`The outcome of a write is unknown${reason}`, { cause });
    this.name = 'OutcomeUnknownError';
  }
}
