/** True for the value that the text of a JSON object parses to. False for arrays, null, dates and maps. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]';
}
