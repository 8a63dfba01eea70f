/**
 * The embedded database cannot be used. The message is for the person who started the service. It says what
 * is wrong, with the path or the last lines of the server's log, and what to set or do.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  /** True when no later attempt of this process can succeed. */
  readonly final: boolean;

  constructor(
    message: string,
    { final = false, ...options }: ErrorOptions & { readonly final?: boolean } = {},
  ) {
    super(message, options);
    this.final = final;
  }
}
