const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns false for a text that PostgreSQL does not accept as a uuid. Such an id is treated as unknown, not
 * as an error.
 */
export function isId(value: string): boolean {
  return UUID.test(value);
}
