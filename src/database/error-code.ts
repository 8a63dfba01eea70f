/** Returns the `code` of a system or SQL error (`ENOENT`, `57P03`), or undefined when `error` has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
