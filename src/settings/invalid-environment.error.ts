/** An environment with which no process can start. The message has a line for each invalid variable. */
export class InvalidEnvironmentError extends Error {
  /** @param errors one for each rule that is broken, with the name of the variable */
  constructor(readonly errors: readonly { readonly field: string; readonly message: string }[]) {
    super(`Invalid environment:\n${errors.map(({ message }) => `  - ${message}`).join('\n')}`);
    this.name = 'InvalidEnvironmentError';
  }

  /** An error of one variable. @param message with its name */
  static of(field: string, message: string): InvalidEnvironmentError {
    return new InvalidEnvironmentError([{ field, message }]);
  }
}
