/** Returns the error of a connection. @param variable the one that says where the database is */
export function cannotConnect(variable: 'DATA_DIR' | 'DATABASE_URL', error: unknown): Error {
  return new Error(`Cannot connect to the database at ${variable}: ${reasonOf(error)}`, { cause: error });
}

/** Returns the driver's message. It contains the host and the reason, never the password. */
function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error per address and an empty message of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
