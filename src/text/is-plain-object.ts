/** True for what the text of a JSON object parses to; false for lists, null, dates and maps. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]';
}
