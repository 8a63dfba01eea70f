/** Returns the major version (`18`) of a version of PostgreSQL (`18.4`). */
export function majorVersion(version: string): string {
  return parseInt(version, 10).toString();
}
