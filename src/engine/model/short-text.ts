/** The most characters of one value in a trace. */
export const TRACE_TEXT_LIMIT = 200;

/**
 * Shortens a text for a trace: beyond 200 characters, or the given limit, it is cut and ends with an
 * ellipsis.
 */
export function shortText(text: string, limit = TRACE_TEXT_LIMIT): string {
  if (text.length <= limit) {
    return text;
  }
  const cut = text.slice(0, limit - 1);
  // Half a surrogate pair is invalid text, which PostgreSQL does not store.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Shortens a JSON value for a trace: a value whose JSON has more than 200 characters becomes cut text. */
export function shortJson(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json.length <= TRACE_TEXT_LIMIT ? value : shortText(json);
}
