/** Most characters of one value in a trace. */
export const TRACE_TEXT_LIMIT = 200;

/** A text that fits a trace: cut, with an ellipsis, beyond 200 characters or those given. */
export function shortText(text: string, limit = TRACE_TEXT_LIMIT): string {
  if (text.length <= limit) {
    return text;
  }
  const cut = text.slice(0, limit - 1);
  // Half a surrogate pair is no text that a database would store.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A JSON value that fits a trace: as it is, or cut as text where its JSON has more than 200 characters. */
export function shortJson(value: unknown): unknown {
  const json = JSON.stringify(value);
  return json.length <= TRACE_TEXT_LIMIT ? value : shortText(json);
}
