/**
 * Returns the error of a file or of the system with `what` before its message, for example that there is no
 * space. Returns any other error as it is.
 */
export function fileError(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new Error(`${what}: ${error.message}`, { cause: error });
}
